/** What a partition keeps besides its tables: order, time, settings, input positions. */
@NullMarked
package io.turnkeeper.core.partition;

import org.jspecify.annotations.NullMarked;
