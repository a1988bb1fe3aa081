/** Tries the fence: holders of a turn and writers of a log that are stopped and come back late. */
@NullMarked
package io.turnkeeper.worker.trial;

import org.jspecify.annotations.NullMarked;
