package io.turnkeeper.authority;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Says which turn may commit to a table and which version is its newest.
 *
 * <p>Every change is one transaction whose conditions can hold only once. An answer that was lost
 * is resolved inside the call by repeating the identical transaction until the deadline, never by
 * reading back alone: an attempt that timed out can still land.
 */
public interface Authority extends AutoCloseable {

  /** The table's head; empty if it is not registered or was dropped. */
  Optional<Head> head(TableId table, Deadline deadline) throws AuthorityUnavailableException;

  /**
   * The record of one version. It is there for every version above the last one that was cleared
   * away, and always for the head's; above the head it means nothing.
   */
  Optional<Manifest> manifest(TableId table, long version, Deadline deadline)
      throws AuthorityUnavailableException;

  /** Which table owns the canonical place. */
  Optional<Location> location(String uri, Deadline deadline) throws AuthorityUnavailableException;

  /**
   * Makes {@code turn} the highest turn of the attempt's table and holds it. A higher turn preempts
   * a lower one; a lower one can never come back, also when the higher one ended without a commit.
   *
   * @param ttl the lease; its holder is told of a loss before the lease can end
   */
  TakeOutcome take(Attempt attempt, long turn, Duration ttl, Deadline deadline);

  /**
   * Makes a version real if the turn is still held and the head is the one it knows. With {@link
   * Commit#last}, and after any refusal, the lease is renewed no longer.
   */
  CommitOutcome commit(HeldTurn held, Commit commit, Deadline deadline);

  /** Gives a turn back without a commit. Safe after every other outcome, and more than once. */
  ReleaseOutcome release(HeldTurn held, Deadline deadline);

  /**
   * Creates the head and the location of a table together.
   *
   * @param uri the canonical place
   * @param version the version that is adopted, with its manifest
   * @param mergedThrough what of its log is in the table already
   */
  RegisterOutcome register(
      TableId table,
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      Deadline deadline);

  /**
   * Leaves a tombstone in place of the head and frees the location. Under a turn, like a commit:
   * what is committed is visible first, and nobody commits in between.
   *
   * @return whether the turn was held and the table is dropped now
   */
  boolean drop(HeldTurn held, Deadline deadline) throws AuthorityUnavailableException;

  /**
   * Forgets the records of versions below {@code version}, which are materialised. The head's own
   * stays.
   *
   * @return whether the turn was held and they are gone now
   */
  boolean forget(HeldTurn held, long version, Deadline deadline)
      throws AuthorityUnavailableException;

  /** Announces a start of the executor, replacing an earlier one. */
  ExecutorSession registerExecutor(ExecutorId executor, Duration ttl, Deadline deadline)
      throws AuthorityUnavailableException;

  /** Stops all renewals and closes the connection; never throws. */
  @Override
  void close();
}
