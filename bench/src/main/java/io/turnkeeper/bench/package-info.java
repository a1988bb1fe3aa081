/** How fast the rules decide. */
@NullMarked
package io.turnkeeper.bench;

import org.jspecify.annotations.NullMarked;
