package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;

/**
 * How far a shard's log is sealed.
 *
 * @param writerEpoch the epoch of the writer of the newest generation
 * @param sealedThrough the newest generation; 0 if there is none
 * @param bytesThrough bytes of the files of all generations up to there
 * @param rowsThrough rows of all generations up to there
 * @param sealedAtMillis when the newest was sealed, in milliseconds since 1970
 * @param writerId names the writer of the newest generation; empty if it did not say
 */
public record WalMark(
    long writerEpoch,
    long sealedThrough,
    long bytesThrough,
    long rowsThrough,
    long sealedAtMillis,
    String writerId) {
  /** A log without generations. */
  public static final WalMark NONE = new WalMark(0, 0, 0, 0, 0, "");

  public boolean isEmpty() {
    return sealedThrough == 0;
  }

  /** The event that tells of it. */
  public WalSealed toEvent(TableId table, long tableIncarnation, ShardId shard, SealSource source) {
    return new WalSealed(
        table,
        tableIncarnation,
        shard,
        writerEpoch,
        sealedThrough,
        bytesThrough,
        rowsThrough,
        sealedAtMillis,
        source);
  }
}
