/** Reads sealed generations of a table's write-ahead log, and trusts none of their bytes. */
@NullMarked
package io.turnkeeper.worker.wal;

import org.jspecify.annotations.NullMarked;
