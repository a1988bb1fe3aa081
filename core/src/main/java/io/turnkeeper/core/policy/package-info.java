/** What an operator may set for a table, and what holds where nothing is set. */
@NullMarked
package io.turnkeeper.core.policy;

import org.jspecify.annotations.NullMarked;
