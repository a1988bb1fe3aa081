package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.Observation;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Turns;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.WorkSpec;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** One attempt that goes as its course says and always gets done, if it is let. */
final class SimulatedAttempt {
  /** A simulated attempt never stalls: it says this often that it goes on. */
  private static final long PROGRESS_MILLIS = 5_000;

  private final RunUnit run;
  private final Course course;
  private final Surroundings around;
  private final Runnable forget;
  private long progress;
  private boolean publishing;
  private boolean over;
  private boolean stopped;

  /**
   * An attempt that has not begun.
   *
   * @param forget called when its executor holds nothing of it any more
   */
  SimulatedAttempt(RunUnit run, Course course, Surroundings around, Runnable forget) {
    this.run = run;
    this.course = course;
    this.around = around;
    this.forget = forget;
  }

  /** The order that a unit was given which runs already. */
  static RunUnit orderFor(Unit unit, Unit.Placement place, TableState state) {
    return new RunUnit(
        new Attempt(unit.id(), unit.attempt(), place.executor(), place.incarnation()),
        unit.kind(),
        unit.mode(),
        unit.spec(),
        Math.max(1, state.incarnation()),
        Objects.requireNonNull(state.registration()).uri(),
        state.registration().walUri(),
        place.reservedBytes());
  }

  Attempt id() {
    return run.attempt();
  }

  void start() {
    after(
        course.claimMillis(),
        () -> {
          around.say(new ClaimEvent.UnitClaimed(id()));
          prepare();
        });
  }

  /** Goes on from the phase that was recorded. */
  void adopt(Unit unit, Turns turns) {
    progress = unit.progress();
    Turns.Turn open = turns.open();
    if (unit.cancellation() != null || unit.released()) {
      fail("PREPARE", FailureCode.CANCELLED.name(), "cancelled when the simulation began");
      return;
    }
    switch (unit.phase()) {
      case ASSIGNED -> start();
      case PREPARING -> prepare();
      case GRANTED, TAKEN -> {
        if (open != null && open.unit() == unit.id().sequence()) {
          granted(new GrantTurn(id(), open.number(), Require.MAX_NUMBER));
        }
      }
      case REQUESTED, PLACED, CLAIMED, READY -> {
        // Nothing to do until it is told.
      }
    }
  }

  private void prepare() {
    if (isPlainLook()) {
      work(course.workMillis(), this::looked);
    } else if (run.mode() == Mode.OUTSIDE) {
      plan();
      work(course.prepareMillis(), this::ready);
    }
  }

  private boolean isPlainLook() {
    return run.kind() == Kind.OBSERVE && run.mode() == Mode.OUTSIDE;
  }

  /** Which fragments it takes is not simulated, so it keeps clear of nobody. */
  private void plan() {
    if (run.kind() == Kind.COMPACT || run.kind() == Kind.INDEX) {
      around.say(new CheckpointEvent.PreparationPlanned(id(), version(), List.of()));
    }
  }

  private void ready() {
    around.say(
        new CheckpointEvent.PreparationReady(
            id(), new Artifact(version(), List.of(), 0, 0, 0, "", course.peakBytes(), "")));
  }

  private void looked() {
    around.say(
        new PublishEvent.UnitPublished(
            id(), 0, List.of(), new TreeMap<>(), 0, 0, course.peakBytes()));
    end();
  }

  void granted(GrantTurn grant) {
    after(course.takeMillis(), () -> take(grant));
  }

  private void take(GrantTurn grant) {
    if (!holds(grant.turn())) {
      refused(grant.turn());
      return;
    }
    around.say(new PublishEvent.TurnTaken(id(), grant.turn()));
    tell(table().head().version(), grant.turn(), false, new TreeMap<>());
    if (run.mode() == Mode.INSIDE) {
      plan();
      work(course.workMillis(), () -> publish(grant.turn()));
    } else if (course.workMillis() > grant.deadlineMillis()) {
      publishing = true;
      after(
          grant.deadlineMillis(),
          () -> fail("PUBLISH", FailureCode.TIMEOUT.name(), "not within the publish timeout"));
    } else {
      publishing = true;
      after(course.workMillis(), () -> publish(grant.turn()));
    }
  }

  private void publish(long turn) {
    publishing = false;
    if (!holds(turn)) {
      refused(turn);
      return;
    }
    boolean commits = run.kind() != Kind.OBSERVE;
    List<Long> versions = commits ? List.of(version() + 1) : List.of();
    SortedMap<ShardId, Long> merged = new TreeMap<>();
    if (run.spec() instanceof WorkSpec.MergeWal merge) {
      merge.ranges().forEach((shard, range) -> merged.put(shard, range.last()));
    }
    tell(commits ? versions.get(0) : table().head().version(), turn, commits, merged);
    around.say(
        new PublishEvent.UnitPublished(id(), turn, versions, merged, 0, 0, course.peakBytes()));
    end();
  }

  /** The table's newest version, as far as anybody knows. */
  private long version() {
    return newestVersion(table());
  }

  /** The newest version that is known of a table, 1 if none is. */
  static long newestVersion(TableState state) {
    Observation seen = state.observation();
    return Math.max(1, Math.max(state.head().version(), seen == null ? 0 : seen.version()));
  }

  private TableState table() {
    return around.table(run.table());
  }

  /** What the authority would say: the turn is this attempt's, and the table still the same. */
  private boolean holds(long turn) {
    TableState state = table();
    Turns.Turn open = state.turns().open();
    return state.incarnation() == run.tableIncarnation()
        && open != null
        && open.number() == turn
        && open.unit() == id().unit().sequence();
  }

  private void tell(long version, long turn, boolean own, SortedMap<ShardId, Long> merged) {
    TableState state = table();
    around.say(
        new PublishEvent.HeadObserved(
            id(),
            state.incarnation(),
            version,
            own ? turn : state.head().turn(),
            own ? id().unit().sequence() : state.head().unit(),
            own ? id().number() : 0,
            Math.max(turn, state.head().highestTurn()),
            merged));
  }

  private void refused(long turn) {
    around.say(
        new PublishEvent.PublishRefused(
            id(), turn, FailureCode.TURN_LOST.name(), "another turn goes on"));
  }

  void cancelled(CancelUnit order) {
    if (!over && !publishing && progress <= order.sequence()) {
      fail("PREPARE", order.code(), order.message());
    }
  }

  private void fail(String phase, String code, String message) {
    around.say(new PublishEvent.UnitFailed(id(), phase, code, message, null));
    end();
  }

  private void end() {
    over = true;
    around.after(
        course.releaseMillis(),
        () -> {
          if (!stopped) {
            around.say(new ClaimEvent.UnitReleased(id(), course.peakBytes()));
            forget.run();
          }
        });
  }

  /** Its executor is gone; always true. */
  boolean stop() {
    over = true;
    stopped = true;
    return true;
  }

  private void work(long leftMillis, Runnable then) {
    if (leftMillis <= PROGRESS_MILLIS) {
      after(leftMillis, then);
      return;
    }
    after(
        PROGRESS_MILLIS,
        () -> {
          progress++;
          around.say(
              new CheckpointEvent.WorkProgressed(id(), progress, progress, 0, 0, "simulated"));
          work(leftMillis - PROGRESS_MILLIS, then);
        });
  }

  private void after(long millis, Runnable action) {
    around.after(
        millis,
        () -> {
          if (!over) {
            action.run();
          }
        });
  }
}
