/** What arguments of commands stand for, and how they are refused: by name, value and reason. */
@NullMarked
package io.turnkeeper.streams.cli;

import org.jspecify.annotations.NullMarked;
