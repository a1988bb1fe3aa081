/** The scheduler's partitions as the topology drives them, with a store, crashes and restarts. */
@NullMarked
package io.turnkeeper.simulation.scheduler;

import org.jspecify.annotations.NullMarked;
