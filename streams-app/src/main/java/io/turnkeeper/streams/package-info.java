/** The scheduler as a Kafka Streams application: read, fold, write, decide, forward. */
@NullMarked
package io.turnkeeper.streams;

import org.jspecify.annotations.NullMarked;
