/** The ground everybody stands on: virtual time, chance, and a network that is rude. */
@NullMarked
package io.turnkeeper.simulation.world;

import org.jspecify.annotations.NullMarked;
