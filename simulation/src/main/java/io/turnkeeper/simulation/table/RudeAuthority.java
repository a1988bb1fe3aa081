package io.turnkeeper.simulation.table;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.ExecutorSession;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.authority.Location;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.authority.ReleaseOutcome;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.simulation.world.Dice;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.VirtualClock;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;

/**
 * An authority that keeps the contract and is otherwise as rude as a remote one: it is away for a
 * while, an answer is lost although the transaction landed, or it lands when nobody waits any more.
 */
public final class RudeAuthority implements Authority {
  /** Hears of every commit at the moment it becomes real. */
  public interface Listener {
    void committed(HeldTurn held, Commit commit, Head head);
  }

  private static final long LATE_MILLIS = 20_000;

  private final InMemoryAuthority inner;
  private final VirtualClock clock;
  private final Dice dice;
  private final Tally tally;
  private final Listener listener;
  private long awayUntilMillis;
  private int answersToLose;

  /**
   * A rude authority.
   *
   * @param inner what it keeps its word by
   */
  public RudeAuthority(
      InMemoryAuthority inner, VirtualClock clock, Dice dice, Tally tally, Listener listener) {
    this.inner = inner;
    this.clock = clock;
    this.dice = dice;
    this.tally = tally;
    this.listener = listener;
  }

  /** The head as it really is, for whoever checks. */
  public Optional<Head> head(TableId table) {
    return inner.head(table, Tables.NO_DEADLINE);
  }

  /** An operator drops the table under a turn that nobody granted, which preempts any other. */
  public void drop(TableId table) {
    Head head =
        head(table).orElseThrow(() -> new IllegalStateException("expected a head of " + table));
    Attempt operator = new Attempt(new UnitId(table, 1), 1, new ExecutorId("operator"), 1);
    TakeOutcome outcome =
        inner.take(operator, head.highestTurn() + 1, Duration.ofSeconds(30), Tables.NO_DEADLINE);
    if (!(outcome instanceof TakeOutcome.Taken taken)
        || !inner.drop(taken.held(), Tables.NO_DEADLINE)) {
      throw new IllegalStateException("expected to drop " + table + ", but " + outcome);
    }
  }

  /** Nobody reaches it for a while. */
  public void goAway(long millis) {
    awayUntilMillis = clock.nowMillis() + millis;
  }

  /** The answer to the next change is lost. */
  public void loseAnswer() {
    answersToLose++;
  }

  /** Nothing is going to go wrong with it any more. */
  public void disarm() {
    awayUntilMillis = 0;
    answersToLose = 0;
  }

  /** The holder renews no longer: the turn ends with its lease. */
  public void expireLater(HeldTurn held, Duration ttl) {
    clock.after(ttl.toMillis(), () -> inner.expire(held));
  }

  /** Ends the lease of a turn at once. */
  public void expire(HeldTurn held) {
    inner.expire(held);
  }

  @Override
  public Optional<Head> head(TableId table, Deadline deadline)
      throws AuthorityUnavailableException {
    reach();
    return inner.head(table, deadline);
  }

  @Override
  public Optional<Manifest> manifest(TableId table, long version, Deadline deadline)
      throws AuthorityUnavailableException {
    reach();
    return inner.manifest(table, version, deadline);
  }

  @Override
  public Optional<Location> location(String uri, Deadline deadline)
      throws AuthorityUnavailableException {
    reach();
    return inner.location(uri, deadline);
  }

  @Override
  public TakeOutcome take(Attempt attempt, long turn, Duration ttl, Deadline deadline) {
    if (isAway()) {
      return new TakeOutcome.Unavailable("away");
    }
    if (!losesAnswer()) {
      return inner.take(attempt, turn, ttl, deadline);
    }
    // It landed, or will, and nobody learns that the turn is held.
    clock.after(
        landing(),
        () -> {
          if (inner.take(attempt, turn, ttl, deadline) instanceof TakeOutcome.Taken taken) {
            expireLater(taken.held(), ttl);
          }
        });
    return new TakeOutcome.Unavailable("the answer was lost");
  }

  @Override
  public CommitOutcome commit(HeldTurn held, Commit commit, Deadline deadline) {
    if (isAway()) {
      return new CommitOutcome.Unknown(FailureCode.OUTCOME_UNKNOWN, "away");
    }
    if (!losesAnswer()) {
      return landed(held, commit, deadline);
    }
    long landing = landing();
    if (landing == 0) {
      landed(held, commit, deadline);
    } else {
      clock.after(landing, () -> landed(held, commit, deadline));
    }
    return new CommitOutcome.Unknown(FailureCode.OUTCOME_UNKNOWN, "the answer was lost");
  }

  private CommitOutcome landed(HeldTurn held, Commit commit, Deadline deadline) {
    CommitOutcome outcome = inner.commit(held, commit, deadline);
    if (outcome instanceof CommitOutcome.Committed committed) {
      listener.committed(held, commit, committed.head());
    }
    return outcome;
  }

  @Override
  public ReleaseOutcome release(HeldTurn held, Deadline deadline) {
    if (isAway()) {
      expireLater(held, Duration.ofSeconds(30));
      return new ReleaseOutcome.Unknown("away");
    }
    return inner.release(held, deadline);
  }

  @Override
  public RegisterOutcome register(
      TableId table,
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      Deadline deadline) {
    return inner.register(table, uri, version, manifest, mergedThrough, deadline);
  }

  @Override
  public boolean drop(HeldTurn held, Deadline deadline) throws AuthorityUnavailableException {
    reach();
    return inner.drop(held, deadline);
  }

  @Override
  public boolean forget(HeldTurn held, long version, Deadline deadline)
      throws AuthorityUnavailableException {
    reach();
    return inner.forget(held, version, deadline);
  }

  @Override
  public ExecutorSession registerExecutor(ExecutorId executor, Duration ttl, Deadline deadline) {
    return inner.registerExecutor(executor, ttl, deadline);
  }

  @Override
  public void close() {
    inner.close();
  }

  private void reach() throws AuthorityUnavailableException {
    if (isAway()) {
      throw new AuthorityUnavailableException("away", new IllegalStateException("no route"));
    }
  }

  private boolean isAway() {
    return clock.nowMillis() < awayUntilMillis;
  }

  private boolean losesAnswer() {
    if (answersToLose == 0) {
      return false;
    }
    answersToLose--;
    tally.count("effect: the authority's answer was lost");
    return true;
  }

  private long landing() {
    return dice.oneIn(2) ? 0 : 1 + dice.below(LATE_MILLIS);
  }
}
