/** What was refused, for operators: listed, looked at, and submitted again. */
@NullMarked
package io.turnkeeper.streams.rejected;

import org.jspecify.annotations.NullMarked;
