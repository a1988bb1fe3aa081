/**
 * A table's write-ahead log: sealed generations as Arrow files that are never replaced.
 *
 * <p>A generation is one Arrow IPC stream, {@code <walUri>/<shard>/<20-digit generation>.arrow},
 * numbered from 1 without gaps. It becomes visible whole and durable, or not at all. Any language
 * with Arrow can write one; {@code turnkeeper.writer_epoch} in the schema's metadata is required,
 * the other keys of {@link WalMetadata} save readers work.
 *
 * <p>Whoever removes merged generations keeps the newest of each shard: numbers and epochs go on
 * from it.
 */
@NullMarked
package io.turnkeeper.events.wal;

import org.jspecify.annotations.NullMarked;
