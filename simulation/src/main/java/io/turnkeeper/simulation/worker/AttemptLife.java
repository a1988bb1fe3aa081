package io.turnkeeper.simulation.worker;

import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.table.Tables;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The life of one attempt: claims, waits for its turn, takes it, tells, and ends once. */
abstract class AttemptLife {
  static final Duration TURN_TTL = Duration.ofSeconds(30);

  /** How long an answer of the authority is waited for. */
  private static final long PATIENCE_MILLIS = 4_000;

  protected final SimExecutor executor;
  protected final RunUnit run;
  private @Nullable GrantTurn waitingGrant;
  private @Nullable CancelUnit deferred;
  private @Nullable HeldTurn held;
  private boolean busy = true;
  private boolean publishing;
  private boolean ended;

  AttemptLife(SimExecutor executor, RunUnit run) {
    this.executor = executor;
    this.run = run;
  }

  /** Does what can be done without a turn. */
  abstract void prepare();

  /** Uses a turn that was just taken. */
  abstract void use(HeldTurn turn);

  void start() {
    say(new ClaimEvent.UnitClaimed(attempt()));
    executor.reached(Point.CLAIMED);
    step(executor.dice().between(1, 50), this::prepare);
  }

  /** The attempt has nothing to do until it gets a turn. */
  protected void awaitGrant() {
    busy = false;
    held = null;
    GrantTurn grant = waitingGrant;
    if (grant != null) {
      waitingGrant = null;
      granted(grant);
    }
  }

  void granted(GrantTurn grant) {
    if (ended) {
      return;
    }
    if (busy) {
      if (waitingGrant == null || waitingGrant.turn() < grant.turn()) {
        waitingGrant = grant;
      }
      return;
    }
    busy = true;
    executor.reached(Point.GRANT_READ);
    step(executor.dice().between(1, 30), () -> take(grant.turn()));
  }

  private void take(long turn) {
    TakeOutcome outcome =
        executor.around().authority().take(attempt(), turn, TURN_TTL, Tables.NO_DEADLINE);
    if (outcome instanceof TakeOutcome.Taken taken) {
      held = taken.held();
      executor.reached(Point.TURN_TAKEN);
      step(
          executor.dice().below(3),
          () -> {
            say(new PublishEvent.TurnTaken(attempt(), turn));
            tell(taken.head());
            use(taken.held());
          });
    } else if (outcome instanceof TakeOutcome.StaleTurn stale) {
      tell(stale.head());
      refused(turn, "STALE_TURN", "too low");
      awaitGrant();
    } else if (outcome instanceof TakeOutcome.NoSuchTable) {
      fail("TAKE", "NO_SUCH_TABLE", "not registered", null);
    } else {
      step(
          PATIENCE_MILLIS,
          () -> {
            refused(turn, "AUTHORITY_UNAVAILABLE", "the authority did not answer");
            awaitGrant();
          });
    }
  }

  /** From here on only the publication says how the attempt ends. */
  protected void beginPublishing() {
    publishing = true;
  }

  /** Nothing was published; whoever wanted it stopped meanwhile is answered now. */
  protected void goOnWaiting() {
    publishing = false;
    CancelUnit order = deferred;
    if (order != null) {
      fail("PUBLISH", order.code(), order.message(), null);
    } else {
      awaitGrant();
    }
  }

  void cancelled(CancelUnit order, long progressed) {
    if (ended || progressed > order.sequence()) {
      return;
    }
    if (publishing) {
      deferred = order;
      return;
    }
    if (executor.livesOn()) {
      // The answer is given, but the child is not dead: it keeps its memory for a while.
      ended = true;
      say(new PublishEvent.UnitFailed(attempt(), "PREPARE", order.code(), order.message(), null));
      executor.later(executor.dice().between(1_000, 40_000), this::release);
      return;
    }
    fail("PREPARE", order.code(), order.message(), null);
  }

  /** Gives the unit back unless it publishes right now. */
  void giveBack() {
    if (!ended && !publishing) {
      say(new ClaimEvent.UnitDeclined(attempt(), "DRAINING"));
      end();
    }
  }

  /** Stops without a word. */
  void abandon() {
    ended = true;
    expireTurn();
  }

  /** Its holder renews no longer. */
  void expireTurn() {
    HeldTurn turn = held;
    if (turn != null) {
      executor.around().authority().expireLater(turn, TURN_TTL);
    }
  }

  protected void refused(long turn, String code, String message) {
    say(new PublishEvent.PublishRefused(attempt(), turn, code, message));
  }

  protected void fail(
      String phase, String code, String message, PublishEvent.@Nullable BadGeneration bad) {
    say(new PublishEvent.UnitFailed(attempt(), phase, code, message, bad));
    end();
  }

  protected void end() {
    ended = true;
    HeldTurn turn = held;
    if (turn != null) {
      executor.around().authority().release(turn, Tables.NO_DEADLINE);
      held = null;
    }
    executor.reached(Point.REPORTED);
    executor.later(executor.dice().below(10), this::release);
  }

  private void release() {
    say(new ClaimEvent.UnitReleased(attempt(), executor.dice().between(1L << 20, 1L << 28)));
    executor.forget(attempt());
  }

  protected void tell(Head head) {
    say(
        new PublishEvent.HeadObserved(
            attempt(),
            head.tableIncarnation(),
            head.version(),
            head.turn(),
            head.unit(),
            head.unitAttempt(),
            head.highestTurn(),
            head.mergedThrough()));
  }

  /** The head, or empty if the authority cannot be reached. */
  protected Optional<Head> head() {
    try {
      return executor.around().authority().head(attempt().table(), Tables.NO_DEADLINE);
    } catch (AuthorityUnavailableException e) {
      return Optional.empty();
    }
  }

  /** The table, if it is still the incarnation the unit is about. */
  protected @Nullable SimTable table() {
    SimTable table = executor.around().tables().table(attempt().table());
    return table.incarnation() == run.tableIncarnation() ? table : null;
  }

  protected void observe(SimTable table) {
    say(table.observation(executor.around().clock().nowMillis()));
  }

  protected void say(Event event) {
    executor.say(event);
  }

  protected Attempt attempt() {
    return run.attempt();
  }

  protected void step(long millis, Runnable action) {
    executor.later(
        millis,
        () -> {
          if (!ended) {
            action.run();
          }
        });
  }
}
