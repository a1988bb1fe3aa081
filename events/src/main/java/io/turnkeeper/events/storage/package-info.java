/** The files of tables and logs, wherever they lie. */
@NullMarked
package io.turnkeeper.events.storage;

import org.jspecify.annotations.NullMarked;
