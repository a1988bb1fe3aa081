/** What is going to happen in one life, drawn from its seed before anything runs. */
@NullMarked
package io.turnkeeper.simulation.plan;

import org.jspecify.annotations.NullMarked;
