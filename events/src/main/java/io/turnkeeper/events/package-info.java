/** The wire: how events travel, on which topics, and how they are written and read. */
@NullMarked
package io.turnkeeper.events;

import org.jspecify.annotations.NullMarked;
