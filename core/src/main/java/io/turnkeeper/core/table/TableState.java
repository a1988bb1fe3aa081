package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.PolicyDocument;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything the rules know of one table; a function of the journal and its decisions.
 *
 * @param incarnation the table's incarnation, 0 before it is registered; never falls
 * @param registration null while the table is not under maintenance
 * @param policy the table's own policy document
 * @param defaultsVersion the version of the default policy it was last looked at under
 * @param units the live units, at most one of a kind
 * @param lastUnit the highest unit sequence given out; never restarts
 * @param lastProbe the highest probe number given out
 * @param ledger what failed and when it is tried again, by {@link Failure#key}
 * @param done what is remembered of finished work
 * @param held places that are taken, in the order in which they were given
 * @param released attempts whose reservation is to be given back to the pool
 * @param abandoned attempts whose worker may still run them and is to be told to stop
 * @param paused kinds an operator paused
 * @param triggered kinds an operator wants now
 * @param cancels kinds whose live unit an operator wants stopped; gone with the unit
 */
public record TableState(
    TableId table,
    long incarnation,
    @Nullable Registration registration,
    PolicyDocument policy,
    long defaultsVersion,
    SortedMap<ShardId, Shard> shards,
    @Nullable Observation observation,
    Head head,
    Turns turns,
    SortedMap<Kind, Unit> units,
    long lastUnit,
    long lastProbe,
    SortedMap<String, Failure> ledger,
    SortedMap<Kind, Done> done,
    List<Held> held,
    List<Released> released,
    List<Attempt> abandoned,
    List<Kind> paused,
    List<Kind> triggered,
    List<Kind> cancels) {

  /** The most shards one table has; each has up to 64 marks, and all of them fit one record. */
  public static final int MAX_SHARDS = 256;

  /** The ledger's key of shards that were refused. */
  public static final String SHARDS_KEY = "SHARDS";

  /** A place that an attempt was given and has not been heard to give back. */
  public record Held(Attempt attempt, Kind kind, PoolId pool) {}

  /**
   * An attempt that holds nothing any more.
   *
   * @param executor on which it had a place; null if it was still waiting for one
   * @param incarnation of the executor; 0 if there is none
   */
  public record Released(
      UnitId unit, int attempt, PoolId pool, @Nullable ExecutorId executor, long incarnation) {}

  public TableState {
    shards = FrozenMap.copyOf(shards);
    units = FrozenMap.copyOf(units);
    ledger = FrozenMap.copyOf(ledger);
    done = FrozenMap.copyOf(done);
    held = List.copyOf(held);
    released = List.copyOf(released);
    abandoned = List.copyOf(abandoned);
    paused = List.copyOf(paused);
    triggered = List.copyOf(triggered);
    Set<Kind> live = units.keySet();
    cancels = cancels.isEmpty() ? List.of() : cancels.stream().filter(live::contains).toList();
    if (turns.open() != null && turns.open().number() > turns.highest()) {
      throw new IllegalStateException(
          "expected turn numbers to rise, but " + turns.open() + " is open above " + turns);
    }
  }

  /** A table nobody has said anything about. */
  public static TableState unknown(TableId table) {
    return new TableState(
        table,
        0,
        null,
        PolicyDocument.EMPTY,
        0,
        FrozenMap.of(),
        null,
        Head.UNSEEN,
        Turns.NONE,
        FrozenMap.of(),
        0,
        0,
        FrozenMap.of(),
        FrozenMap.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  public Shard shard(ShardId id) {
    return shards.getOrDefault(id, Shard.EMPTY);
  }

  public @Nullable Unit unit(Kind kind) {
    return units.get(kind);
  }

  public Done done(Kind kind) {
    return done.getOrDefault(kind, Done.NOTHING);
  }

  /** When somebody last looked at the table, as far as it is known; 0 if nobody did. */
  long lastLookMillis() {
    long seen = observation == null ? 0 : observation.atMillis();
    return Math.max(seen, done(Kind.OBSERVE).lastSuccessMillis());
  }

  /** Sealed generations of all shards that are not in the table yet. */
  public long pendingGenerations() {
    long pending = 0; // In a plain loop, since every event asks for it several times.
    for (Shard shard : shards.values()) {
      pending += shard.pending();
    }
    return pending;
  }

  /**
   * Whether the table is not, or soon will not be, as it was last observed. A worker looks at what
   * it published, unless it dies first; then its commit is known and its look is missing.
   */
  boolean changedSinceObserved() {
    return pendingGenerations() > 0
        || (observation != null && head.version() > observation.version());
  }

  /** The live unit with that id, or null. */
  @Nullable Unit live(UnitId id) {
    for (Unit unit : units.values()) {
      if (unit.id().equals(id)) {
        return unit;
      }
    }
    return null;
  }

  @Nullable Unit live(long sequence) {
    return sequence == 0 ? null : live(new UnitId(table, sequence));
  }

  /** The live unit of that very attempt, or null: anything else changes nothing. */
  @Nullable Unit live(Attempt attempt) {
    Unit unit = live(attempt.unit());
    return unit != null && unit.matches(attempt) ? unit : null;
  }

  TableState withShard(ShardId id, Shard shard) {
    return edit(draft -> draft.shards.put(id, shard));
  }

  TableState withUnit(Unit unit) {
    return edit(draft -> draft.units.put(unit.kind(), unit));
  }

  TableState withoutFailure(String key) {
    return edit(draft -> draft.ledger.remove(key));
  }

  /** The worker of that attempt has been told to stop. */
  TableState withoutAbandoned(Attempt attempt) {
    return abandoned.contains(attempt)
        ? edit(
            draft ->
                draft.abandoned =
                    abandoned.stream().filter(other -> !other.equals(attempt)).toList())
        : this;
  }

  TableState withoutCancel(UnitId id) {
    Unit unit = live(id);
    return unit == null
        ? this
        : edit(
            draft -> draft.cancels = cancels.stream().filter(kind -> kind != unit.kind()).toList());
  }

  /** Changes the unit if {@code attempt} is its live attempt. */
  TableState withAttempt(Attempt attempt, UnaryOperator<Unit> change) {
    Unit unit = live(attempt);
    return unit == null ? this : withUnit(change.apply(unit));
  }

  /** The place that the attempt has, or null. */
  @Nullable Held held(Attempt attempt) {
    for (Held place : held) {
      if (place.attempt().equals(attempt)) {
        return place;
      }
    }
    return null;
  }

  TableState edit(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** A copy being changed. */
  static final class Draft {
    private final TableState from;
    long incarnation;
    @Nullable Registration registration;
    PolicyDocument policy;
    long defaultsVersion;
    final MapDraft<ShardId, Shard> shards;
    @Nullable Observation observation;
    Head head;
    Turns turns;
    final MapDraft<Kind, Unit> units;
    long lastUnit;
    long lastProbe;
    final MapDraft<String, Failure> ledger;
    final MapDraft<Kind, Done> done;
    List<Held> held;
    List<Released> released;
    List<Attempt> abandoned;
    List<Kind> paused;
    List<Kind> triggered;
    List<Kind> cancels;

    private Draft(TableState from) {
      this.from = from;
      incarnation = from.incarnation;
      registration = from.registration;
      policy = from.policy;
      defaultsVersion = from.defaultsVersion;
      shards = new MapDraft<>(FrozenMap.copyOf(from.shards));
      observation = from.observation;
      head = from.head;
      turns = from.turns;
      units = new MapDraft<>(FrozenMap.copyOf(from.units));
      lastUnit = from.lastUnit;
      lastProbe = from.lastProbe;
      ledger = new MapDraft<>(FrozenMap.copyOf(from.ledger));
      done = new MapDraft<>(FrozenMap.copyOf(from.done));
      held = from.held;
      released = from.released;
      abandoned = from.abandoned;
      paused = from.paused;
      triggered = from.triggered;
      cancels = from.cancels;
    }

    private TableState done() {
      return new TableState(
          from.table,
          incarnation,
          registration,
          policy,
          defaultsVersion,
          shards.done(),
          observation,
          head,
          turns,
          units.done(),
          lastUnit,
          lastProbe,
          ledger.done(),
          done.done(),
          held,
          released,
          abandoned,
          paused,
          triggered,
          cancels);
    }
  }
}
