package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.CheckpointEvent.WorkProgressed;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.child.Children;
import io.turnkeeper.worker.wal.Generations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.operation.Append;

/**
 * A real index build whose process is stopped before it is ordered anything and only goes on as far
 * as a test lets it, so that no machine is too fast or too slow for it. The limit is that of the
 * rules, only shorter.
 */
@SuppressWarnings("NullAway.Init")
@Timeout(60)
class SlowChildIT {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration STOPPED = Duration.ofMillis(700);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int FRAGMENTS = 60;

  /** Twice what counts as progress: a look in the middle leaves enough on one of its sides. */
  private static final long SOME_BYTES = 32 << 10;

  /** So many that a fragment is read by a call of its own, whose end is a step that is told. */
  private static final int ROWS = 65_536;

  private static final String STALLED = "maintenance preparation made no progress";

  private static EtcdProcess etcd;
  private static Children children;
  private static Set<ProcessHandle> others = Set.of();

  @TempDir Path dir;
  private Bench bench;

  @BeforeAll
  static void startEtcd() throws Exception {
    etcd = EtcdProcess.start();
    others = Set.copyOf(processes());
    children = new Children(1);
  }

  @AfterAll
  static void stopEtcd() {
    children.close();
    etcd.close();
  }

  @BeforeEach
  void manyFragments() throws Exception {
    bench = new Bench(etcd, children, Bench.TABLE, dir + "/", StepListener.NONE);
    try (Dataset table = bench.open();
        Transaction append =
            new Transaction.Builder()
                .readVersion(table.version())
                .operation(Append.builder().fragments(fragments()).build())
                .build()) {
      // Nothing is published to it afterwards, so the fence need not know.
      new CommitBuilder(table).execute(append).close();
    }
  }

  private List<FragmentMetadata> fragments() {
    List<FragmentMetadata> fragments = new ArrayList<>();
    try (VectorSchemaRoot rows = VectorSchemaRoot.create(Generations.SCHEMA, bench.allocator)) {
      Generations.fill(rows, 0, ROWS);
      for (int i = 0; i < FRAGMENTS; i++) {
        fragments.addAll(
            Fragment.write()
                .datasetUri(bench.registered.uri())
                .allocator(bench.allocator)
                .data(rows)
                .mode(WriteParams.WriteMode.APPEND)
                .execute());
      }
    }
    return fragments;
  }

  @AfterEach
  void close() throws Exception {
    signal("CONT");
    bench.close();
  }

  @Test
  void oneThatIsSlowButAliveIsHeardWithinTheLimitAndFinishes() throws Exception {
    RunUnit unit = build();
    long begunNanos = System.nanoTime();
    while (System.nanoTime() - begunNanos < 2 * LIMIT.toNanos()) {
      long heardNanos = System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(STOPPED.toNanos());
      long last = lastHeard();
      moveSomeBytes();
      bench.reports.await(WorkProgressed.class, told -> told.sequence() > last);
      assertThat(Duration.ofNanos(System.nanoTime() - heardNanos)).isLessThan(LIMIT);
    }
    assertThat(bench.reports.all(PreparationReady.class)).isEmpty();

    signal("CONT");
    assertThat(bench.reports.await(PreparationReady.class).attempt()).isEqualTo(unit.attempt());
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
  }

  @Test
  void oneThatIsSilentIsNotHeardAndItsCancelKillsItAndLeavesNothing() throws Exception {
    List<String> before = files();
    RunUnit unit = build();
    List<ProcessHandle> stopped = processes();
    long last = awaitSilence();

    long cancelledNanos = System.nanoTime();
    bench.attempts.cancel(new CancelUnit(unit.attempt(), last, "STALLED", STALLED));
    UnitReleased released = bench.reports.await(UnitReleased.class);

    assertThat(Duration.ofNanos(System.nanoTime() - cancelledNanos))
        .isLessThan(Duration.ofSeconds(4));
    assertThat(bench.reports.all(UnitFailed.class))
        .singleElement()
        .returns("STALLED", UnitFailed::code)
        .returns(STALLED, UnitFailed::message);
    assertThat(released.peakBytes()).isPositive();
    assertThat(stopped).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void oneThatIsKilledFromOutsideSaysSoAndLeavesNothing() throws Exception {
    List<String> before = files();
    RunUnit unit = build();
    // As the system does when its memory is used up.
    List<ProcessHandle> killed = processes();
    killed.forEach(ProcessHandle::destroyForcibly);
    bench.awaitReleased(unit);

    assertThat(killed).hasSize(1);
    assertThat(bench.reports.all(UnitFailed.class))
        .singleElement()
        .returns("PROCESS_KILLED", UnitFailed::code)
        .matches(failed -> failed.message().contains("was killed with SIGKILL"));
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void oneWhoseTableIsMovedAwaySaysSoAndPutsNothingInItsPlace() throws Exception {
    Path table = Path.of(bench.registered.uri());
    RunUnit unit = build();
    while (files().stream().noneMatch(file -> file.contains("/_indices/"))) {
      moveSomeBytes();
    }
    Path away = Files.move(table, dir.resolve("away"));
    // As Lance does for what it writes next.
    Files.createDirectories(table.resolve("_prepared/1-1-1/table/_indices"));
    signal("CONT");
    bench.awaitReleased(unit);

    assertThat(bench.reports.all(UnitFailed.class))
        .singleElement()
        .returns("NO_SUCH_TABLE", UnitFailed::code);
    assertThat(table).doesNotExist();
    Files.move(away, table);
  }

  /** A build whose process is stopped again as soon as there is something of it. */
  private RunUnit build() throws Exception {
    List<String> before = files();
    children.keepReady();
    await("a process", () -> !processes().isEmpty());
    signal("STOP");
    RunUnit unit =
        bench.order(
            Kind.INDEX,
            Mode.OUTSIDE,
            new BuildIndex(new IndexSpec("by_id", "id", IndexType.BTREE), List.of()));
    bench.reports.await(UnitClaimed.class);
    signal("CONT");
    bench.reports.await(PreparationPlanned.class);
    signal("STOP");
    while (files().equals(before)) {
      moveSomeBytes();
    }
    assertThat(bench.reports.all(PreparationReady.class)).isEmpty();
    return unit;
  }

  /** Lets it go on until it has moved more than may be polling. */
  private static void moveSomeBytes() throws Exception {
    long before = movedBytes();
    signal("CONT");
    await("some bytes", () -> movedBytes() >= before + SOME_BYTES);
    signal("STOP");
  }

  private static long movedBytes() throws IOException {
    Path io = Path.of("/proc", Long.toString(processes().get(0).pid()), "io");
    return Files.readAllLines(io).stream()
        .filter(line -> line.startsWith("rchar:") || line.startsWith("wchar:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  /** Waits until nothing was heard for the limit: what it said before may come late. */
  private long awaitSilence() throws Exception {
    long[] last = {lastHeard()};
    long[] sinceNanos = {System.nanoTime()};
    await(
        "silence",
        () -> {
          if (lastHeard() > last[0]) {
            last[0] = lastHeard();
            sinceNanos[0] = System.nanoTime();
          }
          return System.nanoTime() - sinceNanos[0] > LIMIT.toNanos();
        });
    return last[0];
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      assertThat(System.nanoTime() - deadline).as(what).isNegative();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private long lastHeard() {
    List<WorkProgressed> all = bench.reports.all(WorkProgressed.class);
    return all.isEmpty() ? 0 : all.get(all.size() - 1).sequence();
  }

  private List<String> files() throws Exception {
    try (Stream<Path> walk = Files.walk(Path.of(bench.registered.uri()))) {
      return walk.filter(Files::isRegularFile).map(Path::toString).sorted().toList();
    }
  }

  /** Those of these tests; others in this virtual machine may have left theirs ready. */
  private static List<ProcessHandle> processes() {
    return ProcessHandle.current()
        .children()
        .filter(child -> !others.contains(child))
        .filter(child -> child.info().command().orElse("").endsWith("java"))
        .toList();
  }

  private static void signal(String name) throws Exception {
    for (ProcessHandle child : processes()) {
      new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start().waitFor();
    }
  }
}
