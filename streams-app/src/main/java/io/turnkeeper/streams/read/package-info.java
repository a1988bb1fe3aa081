/** Reads of what the scheduler knows: the endpoint of each instance, and the commands that ask. */
@NullMarked
package io.turnkeeper.streams.read;

import org.jspecify.annotations.NullMarked;
