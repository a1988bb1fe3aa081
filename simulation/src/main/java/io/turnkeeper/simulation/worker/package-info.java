/** Executors and the attempts they run, which crash, pause and come back. */
@NullMarked
package io.turnkeeper.simulation.worker;

import org.jspecify.annotations.NullMarked;
