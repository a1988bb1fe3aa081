package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.History;
import io.turnkeeper.streams.KnownState;
import io.turnkeeper.streams.MemoryPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One table with all its kinds always due, whose files go missing again and again, and one worker:
 * what the rules of the core record about it is the history of the tests.
 */
public final class RecordedWorld implements History {
  static final TableId TABLE = new TableId("flights");
  static final PoolId POOL = new PoolId("default");
  static final long START_MILLIS = 1_800_000_000_000L;

  private static final ExecutorId WORKER = new ExecutorId("worker-1");
  private static final ShardId SHARD = new ShardId("s0");

  /** How long a turn of each kind is held. */
  private static final Map<Kind, Long> HELD_MILLIS =
      Map.of(Kind.MERGE_WAL, 2_000L, Kind.COMPACT, 1_000L, Kind.REPAIR, 5_000L);

  private static final long PREPARED_MILLIS = 800;

  private record Item(long atMillis, long order, Runnable action) {}

  final List<JournalStep> tableSteps = new ArrayList<>();
  final List<JournalStep> poolSteps = new ArrayList<>();

  private final MemoryPartition<TableState> tables = MemoryPartition.ofTables(0);
  private final MemoryPartition<PoolState> pools = MemoryPartition.ofPools(0);
  private final PriorityQueue<Item> items =
      new PriorityQueue<>(Comparator.comparingLong(Item::atMillis).thenComparingLong(Item::order));
  private final Map<Attempt, RunUnit> running = new HashMap<>();
  private final boolean working;
  private long nowMillis = START_MILLIS;
  private long order;
  private long sealed;
  private boolean down;

  private RecordedWorld(boolean working) {
    this.working = working;
  }

  /** A world under that policy. */
  public static RecordedWorld under(PolicyDocument policy, boolean prepared) {
    return begun(policy, prepared, true);
  }

  /** A world without any worker. */
  static RecordedWorld idle() {
    return begun(PolicyDocument.EMPTY, true, false);
  }

  private static RecordedWorld begun(PolicyDocument policy, boolean prepared, boolean working) {
    RecordedWorld world = new RecordedWorld(working);
    world.startScheduler(prepared);
    world.say(new PolicySet(TableId.DEFAULT, policy, "operator", "small limits"));
    world.say(
        new TableRegistered(
            TABLE, 1, "/tables/f", "/wal/f", List.of(), MergeMode.APPEND, List.of()));
    world.every(2_000, world::beat);
    world.every(1_000, world::seal);
    world.every(1_000, world::observe);
    world.every(100, world::tick);
    return world;
  }

  private void startScheduler(boolean prepared) {
    List<String> all = prepared ? List.of("*") : List.of();
    say(new PartitionEvent.SettingsApplied(Settings.DEFAULT.preparing(all, all), FrozenMap.of()));
    record(
        pools.take(nowMillis, new PartitionEvent.SettingsApplied(Settings.DEFAULT, FrozenMap.of())),
        poolSteps);
  }

  /** Lets time pass. */
  public RecordedWorld run(long millis) {
    long until = nowMillis + millis;
    while (!items.isEmpty() && items.peek().atMillis() <= until) {
      Item item = items.remove();
      nowMillis = item.atMillis();
      item.action().run();
    }
    nowMillis = until;
    return this;
  }

  /** Nobody schedules for a while, and everybody else goes on waiting. */
  RecordedWorld stopped(long millis) {
    down = true;
    run(millis);
    down = false;
    startScheduler(true);
    return this;
  }

  private void every(long millis, Runnable action) {
    action.run();
    after(millis, () -> every(millis, action));
  }

  private void after(long millis, Runnable action) {
    items.add(new Item(nowMillis + millis, order++, action));
  }

  private void say(Event event) {
    if (!down) {
      record(tables.take(nowMillis, event), tableSteps);
    } else if (!(event instanceof PartitionEvent)) {
      after(1_000, () -> say(event));
    }
  }

  private void sayToPool(Event event) {
    if (!down) {
      record(pools.take(nowMillis, event), poolSteps);
    }
  }

  private void record(MemoryPartition.Taken taken, List<JournalStep> into) {
    into.addAll(taken.steps());
    for (JournalStep step : taken.steps()) {
      for (DecisionRecord one : step.decisions()) {
        if (one.decision() instanceof RunUnit run) {
          running.put(run.attempt(), run);
          after(20, () -> claim(run));
        } else if (one.decision() instanceof GrantTurn grant) {
          after(10, () -> use(grant));
        }
      }
    }
    taken.told().forEach(event -> after(0, () -> route(event)));
  }

  private void route(Event event) {
    if (event instanceof TableEvent) {
      say(event);
    } else {
      sayToPool(event);
    }
  }

  private void tick() {
    if (wantsTick(tables)) {
      say(new PartitionEvent.Tick());
    }
    if (wantsTick(pools)) {
      sayToPool(new PartitionEvent.Tick());
    }
  }

  private boolean wantsTick(MemoryPartition<?> partition) {
    return partition.nextDueMillis() <= nowMillis
        || nowMillis - partition.state().atMillis() >= PartitionEvent.Tick.MAX_APART_MILLIS;
  }

  private void beat() {
    if (!working) {
      return;
    }
    SortedMap<Kind, Integer> slots = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      slots.put(kind, 1);
    }
    List<LiveUnit> units =
        running.keySet().stream().map(one -> new LiveUnit(one.unit(), one.number())).toList();
    sayToPool(
        new ExecutorHeartbeat(
            POOL, WORKER, 1, slots, 8L << 30, false, "test", new TreeMap<>(), units));
  }

  private void seal() {
    sealed++;
    say(
        new WalSealed(
            TABLE, 1, SHARD, 1, sealed, sealed * 1_000, sealed, nowMillis, SealSource.WRITER));
  }

  private void observe() {
    say(
        new TableObserved(
            TABLE, 1, version(), 100, 40, 1_000, 1_000, 100_000, 0, List.of(), 1, 0, nowMillis));
  }

  private TableState table() {
    TableState state = tables.get(TABLE.value());
    return state == null ? TableState.unknown(TABLE) : state;
  }

  private long version() {
    return Math.max(1, table().head().version());
  }

  private void claim(RunUnit run) {
    say(new UnitClaimed(run.attempt()));
    if (run.mode() == Mode.INSIDE) {
      return;
    }
    if (run.kind() == Kind.OBSERVE) {
      after(
          50,
          () -> {
            say(new UnitPublished(run.attempt(), 0, List.of(), new TreeMap<>(), 0, 0, 0));
            release(run);
          });
      return;
    }
    if (run.kind() == Kind.COMPACT) {
      say(new PreparationPlanned(run.attempt(), version(), List.of(1L)));
    }
    Artifact artifact = new Artifact(version(), List.of(1L), 1, 1, 1, "", 0, "");
    after(PREPARED_MILLIS, () -> say(new PreparationReady(run.attempt(), artifact)));
  }

  private void use(GrantTurn grant) {
    say(new TurnTaken(grant.attempt(), grant.turn()));
    RunUnit run = Objects.requireNonNull(running.get(grant.attempt()));
    long outside = run.mode() == Mode.OUTSIDE ? 0 : PREPARED_MILLIS;
    long held = Objects.requireNonNull(HELD_MILLIS.get(run.kind()));
    after(held + outside, () -> publish(run, grant.turn()));
  }

  private void publish(RunUnit run, long turn) {
    SortedMap<ShardId, Long> merged = new TreeMap<>();
    if (run.spec() instanceof WorkSpec.MergeWal merge) {
      merge.ranges().forEach((shard, range) -> merged.put(shard, range.last()));
    }
    long next = version() + 1;
    Attempt attempt = run.attempt();
    say(
        new HeadObserved(
            attempt, 1, next, turn, attempt.unit().sequence(), attempt.number(), turn, merged));
    say(new UnitPublished(attempt, turn, List.of(next), merged, 1, 1, 0));
    release(run);
  }

  private void release(RunUnit run) {
    after(
        5,
        () -> {
          running.remove(run.attempt());
          say(new UnitReleased(run.attempt(), 0));
        });
  }

  /** The same history with only these steps of its tables. */
  History only(Predicate<JournalStep> wanted) {
    RecordedWorld some = new RecordedWorld(working);
    tableSteps.stream().filter(wanted).forEach(some.tableSteps::add);
    some.poolSteps.addAll(poolSteps);
    return some;
  }

  @Override
  public void tables(Consumer<JournalStep> into) {
    tableSteps.forEach(into);
  }

  @Override
  public void pools(Consumer<JournalStep> into) {
    poolSteps.forEach(into);
  }

  @Override
  public List<KnownState> known() {
    return List.of();
  }

  @Override
  public void close() {
    // It is in memory.
  }
}
