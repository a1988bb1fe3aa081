/** How fast the rules decide, the scheduler follows, and work on real tables is done. */
@NullMarked
package io.turnkeeper.bench;

import org.jspecify.annotations.NullMarked;
