package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.UnitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One live piece of work. Units that ended are in the journal, not here.
 *
 * @param attempt counts the tries from 1
 * @param placement where the attempt runs; null before it is placed and after its executor is lost
 * @param sources the fragments its preparation reads, once it said so
 * @param artifact what it prepared, once it is ready
 * @param asked what the pool was last asked for this attempt; null if not asked yet
 * @param requestedAtMillis when the unit was opened; waiting is measured from here
 * @param readyAtMillis since when it waits for a turn, anew after every turn it had; 0 before
 * @param heardMillis observed time of the last sign that counts in this phase
 * @param progress the sequence of the last progress report
 * @param ignoredGrants grants in a row that the attempt did not take
 * @param released whether its worker said that it holds nothing of the attempt any more
 */
public record Unit(
    UnitId id,
    Kind kind,
    Mode mode,
    WorkSpec spec,
    Phase phase,
    int attempt,
    @Nullable Placement placement,
    @Nullable List<Long> sources,
    @Nullable Artifact artifact,
    @Nullable Asked asked,
    long requestedAtMillis,
    long readyAtMillis,
    long heardMillis,
    long progress,
    int ignoredGrants,
    boolean released,
    Silence silence,
    @Nullable Cancellation cancellation) {

  /** How far a unit is. */
  public enum Phase {
    /** Waits for a place. */
    REQUESTED,
    /** Has a place; its worker is about to be told. */
    PLACED,
    /** Its worker was told. */
    ASSIGNED,
    /** Its worker has it; work inside waits for its turn here. */
    CLAIMED,
    /** Being prepared outside the turn. */
    PREPARING,
    /** Prepared; waits for its turn. */
    READY,
    /** Was given a turn. */
    GRANTED,
    /** Holds its turn, as far as anybody knows. */
    TAKEN
  }

  /** Where an attempt runs and what is reserved for it there. */
  public record Placement(ExecutorId executor, long incarnation, long reservedBytes) {
    public Placement {
      Require.count("incarnation", incarnation);
      Require.count("reservedBytes", reservedBytes);
    }
  }

  /** What was last asked of which pool: class and ⌊log2 score⌋, and the memory. */
  public record Asked(PoolId pool, int attempt, int rank, int log2Score, long expectedBytes) {
    /** Whether the pool needs not be told again. */
    boolean sameRank(@Nullable Asked other) {
      return other != null
          && attempt == other.attempt
          && rank == other.rank
          && log2Score == other.log2Score;
    }
  }

  /** A stop that was ordered; progress past {@code sequence} voids it. */
  public record Cancellation(long sequence, String code, String message, long sinceMillis) {}

  /**
   * How far the check of a silence is.
   *
   * @param probe the number of the probe under way, 0 if none
   * @param confirmed whether that probe came back with nothing before it
   */
  public record Silence(long probe, boolean confirmed) {
    /** Nothing suspected. */
    public static final Silence NONE = new Silence(0, false);
  }

  public Unit {
    sources = sources == null ? null : List.copyOf(sources);
  }

  static Unit opened(UnitId id, Kind kind, Mode mode, WorkSpec spec, Now now) {
    return new Unit(
        id,
        kind,
        mode,
        spec,
        Phase.REQUESTED,
        1,
        null,
        null,
        null,
        null,
        now.atMillis(),
        0,
        now.observedMillis(),
        0,
        0,
        false,
        Silence.NONE,
        null);
  }

  boolean matches(Attempt other) {
    return id.equals(other.unit())
        && attempt == other.number()
        && placement != null
        && placement.executor().equals(other.executor())
        && placement.incarnation() == other.incarnation();
  }

  /** Whether it waits for that pool to place that attempt. */
  boolean awaits(PoolId pool, int number) {
    return phase == Phase.REQUESTED
        && attempt == number
        && asked != null
        && asked.attempt() == number
        && asked.pool().equals(pool);
  }

  /** Looks without a turn; everything else commits, or fences. */
  boolean isPlainLook() {
    return kind == Kind.OBSERVE && mode == Mode.OUTSIDE;
  }

  /** Finds out about a lost turn. */
  boolean findsOut() {
    return kind == Kind.OBSERVE && mode == Mode.INSIDE;
  }

  /** The attempt as its worker names it. */
  Attempt current() {
    if (placement == null) {
      throw new IllegalStateException("expected " + id + " to be placed, but it is " + phase);
    }
    return new Attempt(id, attempt, placement.executor(), placement.incarnation());
  }

  /** Whether the unit could publish at once if it had the turn. */
  public boolean waitsForTurn() {
    return placement != null
        && !released
        && cancellation == null
        && (phase == Phase.READY || (phase == Phase.CLAIMED && mode == Mode.INSIDE));
  }

  Unit placed(Placement place, Now now) {
    return copy().phase(Phase.PLACED, now).placement(place).done();
  }

  Unit assigned(Now now) {
    return copy().phase(Phase.ASSIGNED, now).done();
  }

  Unit claimed(Now now) {
    if (phase != Phase.ASSIGNED) {
      return this;
    }
    return copy()
        .phase(mode == Mode.OUTSIDE ? Phase.PREPARING : Phase.CLAIMED, now)
        .readyAt(mode == Mode.OUTSIDE ? 0 : now.atMillis())
        .done();
  }

  Unit planned(List<Long> fragments, Now now) {
    return copy().heard(now).sources(fragments).done();
  }

  Unit progressed(long sequence, Now now) {
    if (sequence <= progress) {
      return this;
    }
    boolean working = phase != Phase.GRANTED && !(phase == Phase.TAKEN && mode == Mode.OUTSIDE);
    // Progress does not prolong a publication, which is short by design.
    Draft draft = working ? copy().heard(now) : copy();
    draft.progress(sequence);
    if (cancellation != null && sequence > cancellation.sequence()) {
      draft.cancellation(null);
    }
    return draft.done();
  }

  Unit ready(Artifact prepared, Now now) {
    if (phase != Phase.PREPARING && phase != Phase.ASSIGNED) {
      return this;
    }
    Draft draft =
        copy()
            .phase(Phase.READY, now)
            .readyAt(now.atMillis())
            .sources(prepared.sourceFragments())
            .artifact(prepared);
    if (cancellation != null && cancellation.sequence() < Require.MAX_NUMBER) {
      draft.cancellation(null); // It was not stalled; what an operator ordered stands.
    }
    return draft.done();
  }

  /** Its worker holds nothing of it any more; what became of it was or will be said. */
  Unit released(Now now) {
    return released ? this : copy().heard(now).released().done();
  }

  Unit granted(Now now) {
    return copy().phase(Phase.GRANTED, now).done();
  }

  Unit taken(Now now) {
    return copy().phase(Phase.TAKEN, now).ignoredGrants(0).done();
  }

  /** Waits for a turn again, with its files, behind those that have waited meanwhile. */
  Unit backToWaiting(Now now) {
    return copy()
        .phase(mode == Mode.OUTSIDE ? Phase.READY : Phase.CLAIMED, now)
        .readyAt(now.atMillis())
        .done();
  }

  /** Waits for another turn after it did not take the last one. */
  Unit ignoringGrant(Now now) {
    return backToWaiting(now).copy().ignoredGrants(ignoredGrants + 1).done();
  }

  /** Its executor is gone, but whether it committed is not known yet. */
  Unit withoutPlacement() {
    return copy().placement(null).done();
  }

  /** Starts clean with the next attempt. */
  Unit retried(Now now) {
    Draft draft = copy().phase(Phase.REQUESTED, now).placement(null).sources(null).artifact(null);
    return draft.nextAttempt().done();
  }

  Unit asked(@Nullable Asked question) {
    return copy().asked(question).done();
  }

  Unit suspected(long probe) {
    return copy().silence(new Silence(probe, false)).done();
  }

  Unit confirmedSilent(long probe) {
    return silence.probe() == probe ? copy().silence(new Silence(probe, true)).done() : this;
  }

  Unit cancelling(Cancellation order, Now now) {
    return copy().heard(now).cancellation(order).done();
  }

  private Draft copy() {
    return new Draft(this);
  }

  /** A copy being changed; keeps the long constructor in one place. */
  private static final class Draft {
    private final Unit from;
    private Phase phase;
    private int attempt;
    private @Nullable Placement placement;
    private @Nullable List<Long> sources;
    private @Nullable Artifact artifact;
    private @Nullable Asked asked;
    private long readyAtMillis;
    private long heardMillis;
    private long progress;
    private int ignoredGrants;
    private boolean released;
    private Silence silence;
    private @Nullable Cancellation cancellation;

    private Draft(Unit from) {
      this.from = from;
      phase = from.phase;
      attempt = from.attempt;
      placement = from.placement;
      sources = from.sources;
      artifact = from.artifact;
      asked = from.asked;
      readyAtMillis = from.readyAtMillis;
      heardMillis = from.heardMillis;
      progress = from.progress;
      ignoredGrants = from.ignoredGrants;
      released = from.released;
      silence = from.silence;
      cancellation = from.cancellation;
    }

    private Draft phase(Phase next, Now now) {
      phase = next;
      return heard(now);
    }

    private Draft heard(Now now) {
      heardMillis = now.observedMillis();
      silence = Silence.NONE;
      return this;
    }

    private Draft nextAttempt() {
      attempt++;
      progress = 0;
      ignoredGrants = 0;
      released = false;
      readyAtMillis = 0;
      cancellation = null;
      return this;
    }

    private Draft placement(@Nullable Placement value) {
      placement = value;
      return this;
    }

    private Draft sources(@Nullable List<Long> value) {
      sources = value;
      return this;
    }

    private Draft artifact(@Nullable Artifact value) {
      artifact = value;
      return this;
    }

    private Draft asked(@Nullable Asked value) {
      asked = value;
      return this;
    }

    private Draft readyAt(long millis) {
      readyAtMillis = millis;
      return this;
    }

    private Draft progress(long value) {
      progress = value;
      return this;
    }

    private Draft ignoredGrants(int value) {
      ignoredGrants = value;
      return this;
    }

    private Draft released() {
      released = true;
      return this;
    }

    private Draft silence(Silence value) {
      silence = value;
      return this;
    }

    private Draft cancellation(@Nullable Cancellation value) {
      cancellation = value;
      return this;
    }

    private Unit done() {
      return new Unit(
          from.id,
          from.kind,
          from.mode,
          from.spec,
          phase,
          attempt,
          placement,
          sources,
          artifact,
          asked,
          from.requestedAtMillis,
          readyAtMillis,
          heardMillis,
          progress,
          ignoredGrants,
          released,
          silence,
          cancellation);
    }
  }
}
