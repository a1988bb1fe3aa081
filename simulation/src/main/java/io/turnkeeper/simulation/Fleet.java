package io.turnkeeper.simulation;

import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.check.AttemptsCheck;
import io.turnkeeper.simulation.check.Audit;
import io.turnkeeper.simulation.check.DueMergeCheck;
import io.turnkeeper.simulation.check.FairnessCheck;
import io.turnkeeper.simulation.check.FoldCheck;
import io.turnkeeper.simulation.check.Oracle;
import io.turnkeeper.simulation.check.PatienceCheck;
import io.turnkeeper.simulation.check.PlacementCheck;
import io.turnkeeper.simulation.check.PoolCheck;
import io.turnkeeper.simulation.check.ReservationCheck;
import io.turnkeeper.simulation.check.ShadowCheck;
import io.turnkeeper.simulation.check.SilenceCheck;
import io.turnkeeper.simulation.check.TurnCheck;
import io.turnkeeper.simulation.check.UnitCheck;
import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.scheduler.Outgoing;
import io.turnkeeper.simulation.scheduler.SchedulerTask;
import io.turnkeeper.simulation.scheduler.Step;
import io.turnkeeper.simulation.table.RudeAuthority;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.table.Tables;
import io.turnkeeper.simulation.worker.AssignmentLog;
import io.turnkeeper.simulation.worker.SimExecutor;
import io.turnkeeper.simulation.worker.Surroundings;
import io.turnkeeper.simulation.world.Dice;
import io.turnkeeper.simulation.world.Network;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Topic;
import io.turnkeeper.simulation.world.Violation;
import io.turnkeeper.simulation.world.VirtualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Everybody in one life, wired together: tables, executors, authority and the two schedulers. */
final class Fleet {
  static final PoolId POOL = new PoolId("default");

  /** The whole content of a table is compared at every so many of its commits. */
  private static final int CONTENT_EVERY = 8;

  private static final List<TableId> NAMES =
      List.of(
          new TableId("hot"), new TableId("upserts"), new TableId("cold"), new TableId("frozen"));

  /** An entry of one of the two journals, as the trace hears of it. */
  record Recorded(String journal, JournalEntry entry) {}

  final VirtualClock clock = new VirtualClock();
  final Tally tally = new Tally();
  final Waits waits = new Waits();
  final Oracle oracle = new Oracle();
  final Tables tables = new Tables();
  final Network network;
  final RudeAuthority authority;
  final List<SimExecutor> executors = new ArrayList<>();
  final SchedulerTask<TableId, TableState, TableDecision> tableTask;
  final SchedulerTask<PoolId, PoolState, PoolDecision> poolTask;

  private final TurnCheck turns = new TurnCheck(tally);
  private final Audit<TableId, TableState, TableDecision> tableAudit;
  private final Audit<PoolId, PoolState, PoolDecision> poolAudit;
  private final Outgoing outgoing;
  private final Consumer<Object> trace;
  private final Map<TableId, Integer> commits = new HashMap<>();

  Fleet(long seed, int executorCount, Rules rules, Consumer<Object> trace) {
    this.trace = trace;
    network = new Network(clock, new Dice(seed, "network"));
    authority =
        new RudeAuthority(
            rules.authority().get(), clock, new Dice(seed, "authority"), tally, this::committed);
    AssignmentLog orders = new AssignmentLog();
    outgoing = new Outgoing(network, orders);
    tableAudit =
        new Audit<>(
            rules.tables(),
            List.of(
                turns,
                new UnitCheck(tally, waits),
                new FairnessCheck(waits),
                new PatienceCheck(),
                new AttemptsCheck(waits),
                new DueMergeCheck(),
                new SilenceCheck(),
                new ShadowCheck(),
                new FoldCheck(rules.tables())),
            tally);
    poolAudit =
        new Audit<>(
            rules.pool(),
            List.of(new PoolCheck(), new PlacementCheck(), new ReservationCheck()),
            tally);
    tableTask =
        new SchedulerTask<>(
            new SchedulerTask.Parts<>(
                rules.tables(),
                Topic.OF_TABLES,
                Settings.DEFAULT,
                clock,
                network,
                new Dice(seed, "tables")),
            this::tablesCommitted);
    poolTask =
        new SchedulerTask<>(
            new SchedulerTask.Parts<>(
                rules.pool(),
                Topic.OF_POOL,
                Settings.DEFAULT,
                clock,
                network,
                new Dice(seed, "pool")),
            this::poolCommitted);
    Surroundings around = new Surroundings(clock, network, authority, tables, orders, tally);
    for (int i = 1; i <= executorCount; i++) {
      ExecutorId id = new ExecutorId("worker-" + i);
      executors.add(new SimExecutor(around, new Dice(seed, id.value()), POOL, id));
    }
  }

  void start() {
    network.append(
        Topic.POLICY, new PolicySet(TableId.DEFAULT, Policies.DEFAULT, "operator", "small limits"));
    tableTask.start();
    poolTask.start();
    executors.forEach(SimExecutor::start);
    for (TableId name : NAMES) {
      register(name, 1);
    }
  }

  /** Registers a table in a directory of its own, and says so. */
  void register(TableId name, long incarnation) {
    MergeMode mode = name.value().equals("upserts") ? MergeMode.UPSERT : MergeMode.APPEND;
    List<ShardId> shards = List.of(new ShardId(name + "-a"), new ShardId(name + "-b"));
    SimTable table = tables.register(authority, name, incarnation, mode, shards);
    network.send("registrar", table.registration());
    network.send("registrar", table.observation(clock.nowMillis()));
  }

  private void tablesCommitted(List<Step<TableId, TableDecision>> steps) {
    steps.forEach(step -> tell("tables", step));
    tableAudit.committed(steps, tableTask.states());
    for (Step<TableId, TableDecision> step : steps) {
      step.looked().forEach(look -> look.decided().forEach(one -> outgoing.send(one.decision())));
    }
  }

  private void poolCommitted(List<Step<PoolId, PoolDecision>> steps) {
    steps.forEach(step -> tell("pool", step));
    poolAudit.committed(steps, poolTask.states());
    for (Step<PoolId, PoolDecision> step : steps) {
      step.looked().forEach(look -> look.decided().forEach(one -> outgoing.send(one.decision())));
    }
  }

  private void committed(HeldTurn held, Commit commit, Head head) {
    trace.accept(head);
    turns.committed(held, commit, head);
    tables.committed(held, commit, head);
    if (commits.merge(held.table(), 1, Integer::sum) % CONTENT_EVERY == 0) {
      oracle.check(tables.table(held.table()), head);
    }
  }

  /** Kills the scheduler of the tables; what is left of it is what was recorded. */
  void killTables(long downMillis) {
    tableTask.crash(downMillis);
    tableAudit.compareAll(tableTask.states());
  }

  /** Likewise that of the pool. */
  void killPool(long downMillis) {
    poolTask.crash(downMillis);
    poolAudit.compareAll(poolTask.states());
  }

  /** Runs what is due up to a moment of the life. */
  void runTo(long ageMillis) {
    long until = VirtualClock.START_MILLIS + ageMillis;
    while (clock.step(until)) {
      // Every check runs inside the steps.
    }
  }

  /** Compares everything that lies in the tables with everything that was put into their logs. */
  void checkContents() {
    tables.all().values().forEach(table -> oracle.check(table, head(table)));
  }

  /** Stops both schedulers, and rebuilds from their journals alone what they had committed. */
  void rebuild() {
    killTables(0);
    killPool(0);
    tableAudit.rebuild(tableTask.states(), tableTask.partition());
    poolAudit.rebuild(poolTask.states(), poolTask.partition());
  }

  /** Whether nothing would be undone if both schedulers died now. */
  boolean isCommitted() {
    return tableTask.isCommitted() && poolTask.isCommitted();
  }

  /** The head of a table as it really is. */
  Head head(SimTable table) {
    return authority
        .head(table.id())
        .orElseThrow(() -> new Violation("nothing is lost", "no head of " + table.id()));
  }

  private <K, D extends Decision> void tell(String journal, Step<K, D> step) {
    trace.accept(new Recorded(journal, step.entry()));
    step.looked().forEach(look -> look.decided().forEach(trace));
  }
}
