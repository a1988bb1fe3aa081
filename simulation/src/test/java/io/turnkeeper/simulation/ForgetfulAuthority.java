package io.turnkeeper.simulation;

import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.authority.ReleaseOutcome;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.TableId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/** An authority that knows which turn is held, and forgets it as soon as nobody holds it. */
final class ForgetfulAuthority extends InMemoryAuthority {
  private final Set<TableId> held = new HashSet<>();

  @Override
  public synchronized TakeOutcome take(
      Attempt attempt, long turn, Duration ttl, Deadline deadline) {
    TakeOutcome outcome = super.take(attempt, turn, ttl, deadline);
    if (outcome instanceof TakeOutcome.StaleTurn stale && !held.contains(attempt.table())) {
      outcome = super.take(attempt, stale.head().highestTurn() + 1, ttl, deadline);
    }
    if (!(outcome instanceof TakeOutcome.Taken taken)) {
      return outcome;
    }
    held.add(attempt.table());
    HeldTurn real = taken.held();
    return new TakeOutcome.Taken(
        new HeldTurn(
            turn, attempt, real.turnRevision(), real.headRevision(), real.head(), real.lease()),
        taken.head());
  }

  @Override
  public synchronized CommitOutcome commit(HeldTurn turn, Commit commit, Deadline deadline) {
    held.remove(turn.table());
    return super.commit(turn, commit, deadline);
  }

  @Override
  public synchronized ReleaseOutcome release(HeldTurn turn, Deadline deadline) {
    held.remove(turn.table());
    return super.release(turn, deadline);
  }

  @Override
  public synchronized void expire(HeldTurn turn) {
    held.remove(turn.table());
    super.expire(turn);
  }
}
