package io.turnkeeper.authority;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;

/**
 * A write turn that was taken: what a commit under it must present. It is a value; every commit
 * answers the next one, and an older one can commit nothing any more.
 *
 * @param turn the number of the turn
 * @param attempt who took it
 * @param turnRevision the modification of the turn's record by this take
 * @param headRevision the modification of the head by this take or by its newest commit
 * @param head the head that commits build on
 * @param lease the holder's lease; the same object for all commits of the turn
 */
public record HeldTurn(
    long turn, Attempt attempt, long turnRevision, long headRevision, Head head, Lease lease) {
  public HeldTurn {
    Require.positive("turn", turn);
    Require.positive("turnRevision", turnRevision);
    Require.positive("headRevision", headRevision);
  }

  public TableId table() {
    return attempt.table();
  }

  /** The turn after a commit that made {@code newHead} at revision {@code newHeadRevision}. */
  public HeldTurn after(Head newHead, long newHeadRevision) {
    return new HeldTurn(turn, attempt, turnRevision, newHeadRevision, newHead, lease);
  }
}
