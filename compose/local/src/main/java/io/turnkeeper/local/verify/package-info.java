/** Checks a table against what its writers wrote down, without asking the application. */
@NullMarked
package io.turnkeeper.local.verify;

import org.jspecify.annotations.NullMarked;
