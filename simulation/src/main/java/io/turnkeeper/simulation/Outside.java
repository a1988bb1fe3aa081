package io.turnkeeper.simulation;

import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableDropped;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PolicyEvent.GenerationSkipped;
import io.turnkeeper.core.table.PolicyEvent.OperatorActed;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.table.Fragment;
import io.turnkeeper.simulation.table.SimLog;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.table.Tables;
import io.turnkeeper.simulation.worker.Point;
import io.turnkeeper.simulation.worker.SimExecutor;
import io.turnkeeper.simulation.world.Topic;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Carries out what a plan says: writers, operators, and everything that goes wrong. */
final class Outside {
  private static final String WRITER = "writer";
  private static final String OPERATOR = "operator";
  private static final long HOUR_MILLIS = 3_600_000;

  private static final List<String> FAILURES =
      List.of("IO", "TIMEOUT", "CORRUPT_FILE", "UNKNOWN", "CONFLICT", "NOT_A_CODE");

  /** Topics whose senders may say a thing twice; the others are written exactly once. */
  private static final List<Topic> REPEATABLE =
      List.of(Topic.DEMAND, Topic.CLAIM, Topic.CHECKPOINT, Topic.PUBLISH);

  private final Fleet fleet;
  private final Set<String> attended = new HashSet<>();

  Outside(Fleet fleet) {
    this.fleet = fleet;
  }

  void act(Action action) {
    if (action.kind().isFault()) {
      fleet.tally.count("fault: " + action.kind());
    }
    SimTable table = table(action.who());
    SimLog log = log(table, action.which());
    SimExecutor executor = fleet.executors.get(action.who() % fleet.executors.size());
    long amount = action.amount();
    switch (action.kind()) {
      case SEAL -> seal(table, log, 1 + amount % 3, 0);
      case SEAL_UNTOLD -> {
        log.seal(fleet.clock.nowMillis());
        log.reopened();
      }
      case SEAL_MISDATED ->
          seal(table, log, 1, (amount % 2 == 0 ? 1 : -1) * (amount % HOUR_MILLIS));
      case BAD_GENERATION -> {
        seal(table, log, 1, 0);
        log.spoilNewest();
      }
      case HOLE -> {
        seal(table, log, 1, 0);
        log.loseNewest();
      }
      case SKIP_BAD -> skipBad(table);
      case FILE_LOST -> loseFile(table);
      case RECREATE -> recreate(table);
      case SECOND_ID -> registerTwice(table);
      case CRASH -> executor.crash();
      case CRASH_AT -> executor.arm(pick(List.of(Point.values()), action), 0);
      case FREEZE -> executor.freeze(amount % 60_000);
      case FREEZE_AT -> executor.arm(pick(List.of(Point.values()), action), 1 + amount % 60_000);
      case CUT_OFF -> executor.cutOff(amount % 30_000);
      case DRAIN -> executor.drain();
      case LIE -> executor.claimBytes((1 + amount % 12) << 29);
      case WORK_FAILS -> executor.failNext(pick(FAILURES, action));
      case WORK_STALLS -> executor.stallNext();
      case CHILD_LIVES_ON -> executor.liveOnNext();
      case ANSWER_LOST -> fleet.authority.loseAnswer();
      case AUTHORITY_OUT -> fleet.authority.goAway(amount % 20_000);
      case REPEATED -> fleet.network.repeat(pick(REPEATABLE, action), (int) (1 + amount % 20));
      case SLOW_TOPIC -> fleet.network.slow(pick(List.of(Topic.values()), action), amount % 10_000);
      case TABLES_DOWN -> fleet.killTables(down(amount));
      case POOL_DOWN -> fleet.killPool(down(amount));
      case CLOCK_STEP -> {
        long by = (amount % 2 == 0 ? 1 : -1) * (amount % (2 * HOUR_MILLIS));
        fleet.tableTask.setClock(by);
        if (action.which() % 2 == 0) {
          fleet.poolTask.setClock(by);
        }
      }
      case POLICY ->
          say(new PolicySet(table.id(), pick(Policies.OTHERS, action), OPERATOR, "why not"));
      case OPERATOR -> operate(table.id(), action);
      case SHRINK -> executor.claimBytes((1 + amount % 12) << 25);
      case QUIET -> {
        // Time passes.
      }
    }
  }

  /** Nothing goes wrong any more, and operators put right what has gone wrong. */
  void heal() {
    fleet.tableTask.correctClock();
    fleet.poolTask.correctClock();
    fleet.executors.forEach(SimExecutor::disarm);
    fleet.authority.disarm();
    for (SimTable table : fleet.tables.all().values()) {
      say(new PolicySet(table.id(), PolicyDocument.EMPTY, OPERATOR, "the default holds"));
      say(new OperatorActed(table.id(), PolicyEvent.Action.RESUME, null, OPERATOR, "heal"));
      say(new OperatorActed(table.id(), PolicyEvent.Action.TRIGGER, null, OPERATOR, "heal"));
    }
  }

  private void seal(SimTable table, SimLog log, long generations, long clockErrorMillis) {
    for (long i = 0; i < generations; i++) {
      log.seal(fleet.clock.nowMillis() + clockErrorMillis);
    }
    fleet.network.send(WRITER + log.shard(), log.event(table, log.sealed(), SealSource.WRITER));
  }

  /** Does what a table that needs attention asks for; each failure is looked into once. */
  void attend(SimTable table) {
    skipBad(table);
    TableState state = fleet.tableTask.states().get(table.id());
    if (state == null) {
      return;
    }
    for (Failure failure : state.ledger().values()) {
      FailureClass kind = FailureCode.of(failure.code()).failureClass();
      boolean needsHelp = kind == FailureClass.DATA || kind == FailureClass.CONFIG;
      if (needsHelp && attended.add(table.id() + " " + failure)) {
        say(new OperatorActed(table.id(), PolicyEvent.Action.TRIGGER, null, OPERATOR, "mended"));
      }
    }
  }

  /** Leaves out what the scheduler shows to be unreadable. */
  private void skipBad(SimTable table) {
    TableState state = fleet.tableTask.states().get(table.id());
    if (state == null || state.incarnation() != table.incarnation()) {
      return;
    }
    state
        .shards()
        .forEach(
            (shard, known) -> {
              if (known.badGeneration() != 0) {
                table.log(shard).skip(known.badGeneration());
                say(
                    new GenerationSkipped(
                        table.id(),
                        table.incarnation(),
                        shard,
                        known.badGeneration(),
                        OPERATOR,
                        "cannot be read"));
              }
            });
  }

  private void loseFile(SimTable table) {
    if (table.loseNewestFile()) {
      Fragment fragment = table.fragments().get(table.fragments().lastKey());
      if (fragment != null) {
        fleet.oracle.lost(fragment);
      }
    }
  }

  private void recreate(SimTable table) {
    fleet.authority.drop(table.id());
    fleet.oracle.forget(table);
    fleet.network.send("registrar", new TableDropped(table.id(), table.incarnation()));
    fleet.register(table.id(), table.incarnation() + 1);
  }

  private void registerTwice(SimTable table) {
    SortedMap<ShardId, Long> nothing = new TreeMap<>();
    RegisterOutcome outcome =
        fleet.authority.register(
            new TableId("copy"),
            SimTable.uri(table.id(), table.incarnation()),
            1,
            fleet.tables.manifest(),
            nothing,
            Tables.NO_DEADLINE);
    Violation.unless(
        outcome instanceof RegisterOutcome.LocationTaken,
        "one directory has one head",
        () -> "a second id was registered: " + outcome);
  }

  private void operate(TableId table, Action action) {
    PolicyEvent.Action[] all = PolicyEvent.Action.values();
    Kind kind = pick(List.of(Kind.values()), action);
    say(
        new OperatorActed(
            table, all[(int) (action.amount() % all.length)], kind, OPERATOR, "by hand"));
  }

  private void say(PolicyEvent event) {
    fleet.network.send(OPERATOR, event);
  }

  /** Short mostly, ten minutes at times. */
  private static long down(long amount) {
    return amount % 10 == 0 ? 600_000 : amount % 8_000;
  }

  private static <T> T pick(List<T> choices, Action action) {
    return choices.get(action.which() % choices.size());
  }

  /** Two tables are hot, the others are not. */
  private SimTable table(int who) {
    List<SimTable> all = List.copyOf(fleet.tables.all().values());
    int choice = who % 16;
    String name = choice < 7 ? "hot" : choice < 13 ? "upserts" : choice < 15 ? "cold" : "frozen";
    return all.stream()
        .filter(table -> table.id().value().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("expected table " + name));
  }

  private static SimLog log(SimTable table, int which) {
    List<SimLog> logs = List.copyOf(table.logs().values());
    return logs.get(which % logs.size());
  }
}
