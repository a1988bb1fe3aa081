package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.child.ChildWork;
import io.turnkeeper.worker.child.Children;
import io.turnkeeper.worker.fence.OpenTable;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.wal.Generations;
import io.turnkeeper.worker.work.TableObservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.arrow.memory.RootAllocator;
import org.lance.Dataset;
import org.lance.Fragment;

/** A registered table, a real etcd, and attempts that are ordered by hand instead of by rules. */
final class Bench {
  static final TableId TABLE = new TableId("t");
  static final long TARGET_ROWS = 1_000;

  /** What attempts may reserve together. */
  static final long BYTES = 1L << 30;

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  final RootAllocator allocator = new RootAllocator();
  final RecordedReports reports = new RecordedReports();
  final Authority authority;
  final Attempts attempts;
  final TableId table;

  /** What the keys of this bench begin with. */
  final String prefix;

  final Generations wal;
  final TableRegistered registered;
  private long units;
  private long turns;

  /** A bench with the table {@code id}, which lies with its log below {@code place}. */
  Bench(
      EtcdProcess etcd,
      Children children,
      TableId id,
      String place,
      StepListener steps,
      IndexSpec... indexes) {
    table = id;
    prefix = "/test-" + System.nanoTime() + "/";
    authority =
        EtcdAuthority.connect(
            new EtcdSettings(List.of(etcd.endpoint()), prefix, EtcdSettings.DEFAULT_CALL_TIMEOUT));
    TableObservation observation = new TableObservation(TARGET_ROWS, 1 << 30);
    RegistrationOutcome outcome =
        new TableRegistrar(authority, allocator, reports, observation)
            .register(
                new TableRequest(
                    table,
                    place + "table",
                    place + "wal",
                    Generations.SCHEMA,
                    List.of(),
                    MergeMode.APPEND,
                    List.of(indexes)),
                Deadline.after(PATIENCE));
    if (!(outcome instanceof RegistrationOutcome.Registered)) {
      throw new AssertionError(outcome);
    }
    registered = reports.await(TableRegistered.class);
    wal = new Generations(Storage.at(registered.walUri()), allocator);
    attempts =
        new Attempts(
            new Equipment(
                authority,
                reports,
                new MemoryBudget(allocator, BYTES),
                new ChildWork(children, new RecordCodec()),
                observation,
                steps),
            new TreeMap<>(
                Arrays.stream(Kind.values()).collect(Collectors.toMap(kind -> kind, kind -> 2))));
  }

  RunUnit order(Kind kind, Mode mode, WorkSpec spec) {
    return order(kind, mode, spec, 0);
  }

  RunUnit order(Kind kind, Mode mode, WorkSpec spec, long reservedBytes) {
    units++;
    Attempt attempt = new Attempt(new UnitId(table, units), 1, new ExecutorId("e1"), 1);
    RunUnit unit =
        new RunUnit(
            attempt,
            kind,
            mode,
            spec,
            registered.tableIncarnation(),
            registered.uri(),
            registered.walUri(),
            reservedBytes);
    attempts.run(unit);
    return unit;
  }

  /** Grants the next turn number. */
  long grant(RunUnit unit) {
    turns++;
    grant(unit, turns);
    return turns;
  }

  void grant(RunUnit unit, long turn) {
    grant(unit, turn, 20_000);
  }

  /** Grants a turn in which the publication may take so long. */
  void grant(RunUnit unit, long turn, long deadlineMillis) {
    turns = Math.max(turns, turn);
    attempts.grant(new GrantTurn(unit.attempt(), turn, deadlineMillis));
  }

  /** Another worker takes a higher turn, whoever holds one. */
  void preempt(long turn) {
    Attempt other = new Attempt(new UnitId(table, 1_000), 1, new ExecutorId("other"), 1);
    TakeOutcome outcome =
        authority.take(other, turn, Duration.ofSeconds(30), Deadline.after(PATIENCE));
    if (!(outcome instanceof TakeOutcome.Taken)) {
      throw new AssertionError(outcome);
    }
  }

  void awaitReleased(RunUnit unit) {
    reports.await(UnitReleased.class, event -> event.attempt().equals(unit.attempt()));
  }

  Head head() throws Exception {
    return authority.head(table, Deadline.after(PATIENCE)).orElseThrow();
  }

  Dataset open() {
    try {
      return OpenTable.newest(registered.uri(), allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long rows() {
    try (Dataset opened = open()) {
      return opened.countRows();
    }
  }

  long rows(String filter) {
    try (Dataset opened = open()) {
      return opened.countRows(filter);
    }
  }

  /** The name of the file of the fragment that was added last. */
  String newestDataFile() {
    try (Dataset opened = open()) {
      List<Fragment> fragments = opened.getFragments();
      return fragments.get(fragments.size() - 1).metadata().getFiles().get(0).getPath();
    }
  }

  void close() throws InterruptedException {
    attempts.abandon();
    attempts.awaitEnd(Deadline.after(PATIENCE));
    authority.close();
    allocator.close();
  }
}
