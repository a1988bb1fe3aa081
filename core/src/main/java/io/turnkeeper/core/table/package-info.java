/** The rules of one table: its events, its state, how it folds and what it decides. */
@NullMarked
package io.turnkeeper.core.table;

import org.jspecify.annotations.NullMarked;
