/** Tables, their logs and the authority, as far as a scheduler can tell them from real ones. */
@NullMarked
package io.turnkeeper.simulation.table;

import org.jspecify.annotations.NullMarked;
