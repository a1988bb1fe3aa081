/** The rules of one pool of executors: which unit is placed where. */
@NullMarked
package io.turnkeeper.core.pool;

import org.jspecify.annotations.NullMarked;
