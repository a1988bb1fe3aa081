package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** One table driven by hand under a virtual clock; after every step fold and replay must agree. */
final class Scenario {
  static final TableId TABLE = new TableId("flights");
  static final ShardId SHARD = new ShardId("s0");
  static final ShardId OTHER_SHARD = new ShardId("s1");
  static final ExecutorId EXECUTOR = new ExecutorId("worker-1");
  static final PoolId POOL = new PoolId("default");
  static final long START_MILLIS = 1_800_000_000_000L;

  private final Context context;
  private final List<Decided<TableDecision>> all = new ArrayList<>();
  private List<Decided<TableDecision>> latest = List.of();
  private TableState state = TableState.unknown(TABLE);
  private TableState rebuilt = TableState.unknown(TABLE);
  private long atMillis = START_MILLIS;
  private long observedMillis;
  private long incarnation = 1;

  Scenario(Settings settings, PolicyDocument policy) {
    context = new Context(settings, policy, 0);
  }

  /** A registered, observed table whose compactions and index builds are prepared outside. */
  static Scenario prepared(IndexSpec... indexes) {
    Settings settings = Settings.DEFAULT.preparing(List.of("*"), List.of("*"));
    Scenario scenario = new Scenario(settings, PolicyDocument.EMPTY);
    return scenario.registered(indexes).observed(1, 0, 0).looked();
  }

  /** The same with nothing opted in. */
  static Scenario plain(IndexSpec... indexes) {
    Scenario scenario = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY);
    return scenario.registered(indexes).observed(1, 0, 0).looked();
  }

  /** The look that every new table gets is over. */
  private Scenario looked() {
    placed(Kind.OBSERVE).claimed(Kind.OBSERVE);
    return given(
        new PublishEvent.UnitPublished(
            attempt(Kind.OBSERVE), 0, List.of(), Collections.emptySortedMap(), 0, 0, 0));
  }

  Scenario registered(IndexSpec... indexes) {
    return given(
        new TableRegistered(
            TABLE,
            1,
            "/tables/flights",
            "/wal/flights",
            List.of(),
            MergeMode.APPEND,
            List.of(indexes)));
  }

  Scenario given(TableEvent... events) {
    List<Decided<TableDecision>> decided = new ArrayList<>();
    for (TableEvent event : events) {
      Now now = new Now(atMillis, observedMillis);
      state = event.applyTo(state, now);
      rebuilt = event.applyTo(rebuilt, now);
      decided.addAll(decide(now));
    }
    latest = decided;
    return this;
  }

  Scenario after(long millis) {
    long dueMillis = nextDueMillis();
    TableState before = state;
    atMillis += millis;
    observedMillis += millis;
    latest = decide(new Now(atMillis, observedMillis));
    if (latest.stream().anyMatch(decided -> !isNewScore(decided.decision(), before))) {
      assertThat(dueMillis)
          .as("the timer rings in time for %s", latest)
          .isLessThanOrEqualTo(atMillis);
    }
    return this;
  }

  /** Within its class a waiting unit's score is told when something happens, not by the clock. */
  private static boolean isNewScore(TableDecision decision, TableState before) {
    if (!(decision instanceof UnitDecision.RequestPlacement request)) {
      return false;
    }
    Unit unit = before.live(request.unit());
    Unit.Asked asked = unit == null ? null : unit.asked();
    return asked != null && asked.attempt() == request.attempt() && asked.rank() == request.rank();
  }

  /** Time passes that the task did not observe, as over a restart. */
  Scenario afterDowntime(long millis) {
    atMillis += millis;
    latest = decide(new Now(atMillis, observedMillis));
    return this;
  }

  private List<Decided<TableDecision>> decide(Now now) {
    List<Decided<TableDecision>> decided = TableRules.decide(state, context, now);
    for (Decided<TableDecision> each : decided) {
      state = each.decision().applyTo(state, now);
      rebuilt = each.decision().applyTo(rebuilt, now);
    }
    assertThat(rebuilt).isEqualTo(state);
    assertThat(TableRules.decide(state, context, now)).as("rules come to rest").isEmpty();
    assertThat(nextDueMillis()).as("the past is decided").isGreaterThan(now.atMillis());
    for (Kind kind : Kind.values()) {
      assertThat(Explanation.of(kind, state, context, now)).as("never silence").isNotNull();
    }
    all.addAll(decided);
    return decided;
  }

  Scenario sealed(ShardId shard, long through) {
    return sealed(shard, through, atMillis);
  }

  Scenario sealed(ShardId shard, long through, long flushedAtMillis) {
    return given(
        new WalSealed(
            TABLE,
            1,
            shard,
            1,
            through,
            through * 1_000,
            through * 10,
            flushedAtMillis,
            SealSource.WRITER));
  }

  Scenario observed(long version, long smallFragments, long rows, IndexObserved... indexes) {
    return given(
        new TableObserved(
            TABLE,
            1,
            version,
            smallFragments,
            smallFragments,
            smallFragments * 1_000,
            rows,
            rows * 100,
            0,
            List.of(indexes),
            0,
            0,
            atMillis));
  }

  /** A look at a table with that much garbage, files missing, last written at that time. */
  Scenario looked(long version, long garbageBytes, long missingFiles, long lastWriteAtMillis) {
    return given(
        new TableObserved(
            TABLE,
            1,
            version,
            1,
            0,
            0,
            10,
            1_000,
            0,
            List.of(),
            missingFiles,
            garbageBytes,
            lastWriteAtMillis));
  }

  Unit unit(Kind kind) {
    return Objects.requireNonNull(state.unit(kind), () -> "expected a live unit of " + kind);
  }

  Attempt attempt(Kind kind) {
    Unit unit = unit(kind);
    return new Attempt(unit.id(), unit.attempt(), EXECUTOR, incarnation);
  }

  Scenario placed(Kind kind) {
    return given(new PlacementEvent.UnitPlaced(POOL, attempt(kind), 1_000));
  }

  Scenario claimed(Kind kind) {
    return given(new ClaimEvent.UnitClaimed(attempt(kind)));
  }

  Scenario progressed(Kind kind, long sequence) {
    return given(new CheckpointEvent.WorkProgressed(attempt(kind), sequence, 1, 1, 1, "reading"));
  }

  Scenario ready(Kind kind, Long... sources) {
    return given(
        new CheckpointEvent.PreparationReady(
            attempt(kind), new Artifact(1, List.of(sources), 1, 10, 10, "", 0, "")));
  }

  /** Placed, claimed and ready. */
  Scenario prepare(Kind kind, Long... sources) {
    return placed(kind).claimed(kind).ready(kind, sources);
  }

  Scenario taken(Kind kind) {
    return given(new PublishEvent.TurnTaken(attempt(kind), openTurn()));
  }

  Scenario published(Kind kind, long version) {
    Unit unit = unit(kind);
    SortedMap<ShardId, Long> merged = new TreeMap<>();
    if (unit.spec() instanceof WorkSpec.MergeWal merge) {
      merge.ranges().forEach((shard, range) -> merged.put(shard, range.last()));
    }
    return given(
        new PublishEvent.UnitPublished(
            attempt(kind), openTurn(), List.of(version), merged, 10, 1, 0));
  }

  Scenario refused(Kind kind, String code) {
    return given(new PublishEvent.PublishRefused(attempt(kind), openTurn(), code, "because"));
  }

  Scenario failed(Kind kind, String code) {
    return given(new PublishEvent.UnitFailed(attempt(kind), "PREPARE", code, "because", null));
  }

  Scenario badGeneration(ShardId shard, long generation) {
    return given(
        new PublishEvent.UnitFailed(
            attempt(Kind.MERGE_WAL),
            "PREPARE",
            "INVALID_WAL",
            "truncated",
            new PublishEvent.BadGeneration(shard, generation)));
  }

  Scenario head(long version, long turn, long unit, int unitAttempt, long highestTurn) {
    return given(
        new PublishEvent.HeadObserved(
            new Attempt(new UnitId(TABLE, 999), 1, EXECUTOR, incarnation),
            1,
            version,
            turn,
            unit,
            unitAttempt,
            highestTurn,
            Collections.emptySortedMap()));
  }

  /** The head shows that unit's merge of the first shard, committed by its first attempt. */
  Scenario headMerged(long version, long turn, long unit, long mergedThrough) {
    return given(
        new PublishEvent.HeadObserved(
            new Attempt(new UnitId(TABLE, 999), 1, EXECUTOR, incarnation),
            1,
            version,
            turn,
            unit,
            1,
            turn + 1,
            new TreeMap<>(Map.of(SHARD, mergedThrough))));
  }

  Scenario executorRestarted() {
    long lost = incarnation++;
    return given(new PlacementEvent.ExecutorLost(TABLE, EXECUTOR, lost, List.of(), false));
  }

  /** The probe that was sent for the unit is read back. */
  Scenario probeReturned(Kind kind) {
    Unit unit = unit(kind);
    assertThat(unit.silence().probe()).as("probe under way").isPositive();
    return given(new Probe(unit.id(), unit.silence().probe()));
  }

  Scenario expect(Class<? extends TableDecision> type) {
    assertThat(latest)
        .as("decisions of the last step")
        .anySatisfy(decided -> assertThat(decided.decision()).isInstanceOf(type));
    return this;
  }

  Scenario expectNone(Class<? extends TableDecision> type) {
    assertThat(latest)
        .as("decisions of the last step")
        .noneSatisfy(decided -> assertThat(decided.decision()).isInstanceOf(type));
    return this;
  }

  Scenario expectNothing() {
    assertThat(latest).as("decisions of the last step").isEmpty();
    return this;
  }

  Scenario expectOpened(Kind kind, Mode mode) {
    assertThat(latest)
        .as("decisions of the last step")
        .extracting(Decided::decision)
        .anySatisfy(
            decision ->
                assertThat(decision)
                    .isInstanceOfSatisfying(
                        UnitDecision.OpenUnit.class,
                        opened -> {
                          assertThat(opened.kind()).isEqualTo(kind);
                          assertThat(opened.mode()).isEqualTo(mode);
                        }));
    return this;
  }

  /** The last step gave the turn to that kind, for that reason. */
  Scenario expectNextTurn(Kind kind, String reason) {
    Decided<TableDecision> granted =
        latest.stream()
            .filter(decided -> decided.decision() instanceof Assignment.GrantTurn)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no turn was granted: " + latest));
    Assignment.GrantTurn turn = (Assignment.GrantTurn) granted.decision();
    assertThat(turn.attempt().unit()).isEqualTo(unit(kind).id());
    assertThat(granted.reason()).contains(reason);
    return this;
  }

  /** One decision of the last step was made for that reason. */
  Scenario expectReason(String reason) {
    assertThat(latest).extracting(Decided::reason).anyMatch(each -> each.contains(reason));
    return this;
  }

  /** All that was decided so far. */
  List<Decided<TableDecision>> decided() {
    return List.copyOf(all);
  }

  <T extends TableDecision> List<T> all(Class<T> type) {
    return all.stream().map(Decided::decision).filter(type::isInstance).map(type::cast).toList();
  }

  <T extends TableDecision> T last(Class<T> type) {
    List<T> some = all(type);
    assertThat(some).as(type.getSimpleName()).isNotEmpty();
    return some.get(some.size() - 1);
  }

  long openTurn() {
    return Objects.requireNonNull(state.turns().open(), "expected an open turn").number();
  }

  WhyNot whyNot(Kind kind) {
    return Explanation.of(kind, state, context, new Now(atMillis, observedMillis));
  }

  long nextDueMillis() {
    return Timers.nextDueMillis(state, context, new Now(atMillis, observedMillis));
  }

  TableState state() {
    return state;
  }

  long atMillis() {
    return atMillis;
  }

  /** What gives the place of an attempt back. */
  static UnitDecision.EndReservation ended(Attempt attempt) {
    return new UnitDecision.EndReservation(
        attempt.unit(), attempt.number(), POOL, attempt.executor(), attempt.incarnation());
  }
}
