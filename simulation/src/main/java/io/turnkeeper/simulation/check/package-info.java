/** What must hold after every step, checked by a second look that trusts nobody. */
@NullMarked
package io.turnkeeper.simulation.check;

import org.jspecify.annotations.NullMarked;
