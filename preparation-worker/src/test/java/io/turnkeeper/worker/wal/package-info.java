@NullMarked
package io.turnkeeper.worker.wal;

import org.jspecify.annotations.NullMarked;
