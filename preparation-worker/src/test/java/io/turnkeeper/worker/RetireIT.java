package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.core.table.WorkSpec.Retire;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.child.Children;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a retirement removes of a table with a history, and what it must not. */
@SuppressWarnings("NullAway.Init")
class RetireIT {
  private static final ShardId A = new ShardId("a");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static EtcdProcess etcd;
  private static Children children;

  @TempDir Path dir;
  private Bench bench;

  @BeforeAll
  static void startEtcd() throws Exception {
    etcd = EtcdProcess.start();
    children = new Children(1);
  }

  @AfterAll
  static void stopEtcd() {
    children.close();
    etcd.close();
  }

  /** Versions 2 to 4 each add a fragment; generation 4 is not merged. */
  @BeforeEach
  void threeMerges() throws Exception {
    bench = new Bench(etcd, children, dir, StepListener.NONE);
    for (int generation = 1; generation <= 3; generation++) {
      merge(generation);
    }
    bench.wal.seal(A, 4, 40, 10);
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  @Test
  void whatNobodyNeedsGoesAndTheRestStays() throws Exception {
    publish(Kind.COMPACT, compact());
    Path garbage = root().resolve("_fence/2-00000000-0000-0000-0000-000000000000.pending");
    Files.writeString(garbage, "of a dead holder");
    Path later = root().resolve("_fence/6-00000000-0000-0000-0000-000000000000.pending");
    Files.writeString(later, "of a later holder");
    assertThat(files("data")).hasSize(4);
    assertThat(observed().garbageBytes()).isPositive();

    RunUnit unit = retire(1);

    assertThat(published(unit).files()).isPositive();
    assertThat(published(unit).versions()).isEmpty();
    assertThat(files("data")).hasSize(1);
    assertThat(files("_versions"))
        .filteredOn(name -> name.contains("manifest"))
        .containsExactly("18446744073709551610.manifest");
    assertThat(files("_fence"))
        .containsExactlyInAnyOrder(
            Path.of(bench.head().manifest().path()).getFileName().toString(),
            later.getFileName().toString());
    assertThat(generations()).containsExactly("00000000000000000004.arrow");
    assertThat(bench.rows()).isEqualTo(30);
    assertThat(observed().garbageBytes()).isZero();
    assertThat(bench.authority.manifest(Bench.TABLE, 3, Deadline.after(PATIENCE))).isEmpty();
    assertThat(bench.authority.manifest(Bench.TABLE, 5, Deadline.after(PATIENCE))).isPresent();
    merge(4);
    assertThat(bench.rows()).isEqualTo(40);
  }

  @Test
  void asManyVersionsStayAsThePolicySays() throws Exception {
    retire(2);

    try (var table = bench.open()) {
      assertThat(table.listVersions()).extracting(version -> version.getId()).contains(3L, 4L);
      assertThat(table.listVersions()).hasSize(2);
    }
  }

  @Test
  void aTaggedVersionStays() throws Exception {
    try (var table = bench.open()) {
      table.tags().create("keep", 2);
    }

    retire(1);

    try (var table = bench.open()) {
      assertThat(table.checkoutVersion(2).countRows()).isEqualTo(10);
    }
  }

  @Test
  void theNewestGenerationStaysSinceItNamesItsWriter() throws Exception {
    merge(4);

    retire(1);

    assertThat(generations()).containsExactly("00000000000000000004.arrow");
  }

  @Test
  void twiceInARowIsANoOp() throws Exception {
    retire(1);
    RunUnit again = retire(1);

    assertThat(bench.reports.await(UnitNoOp.class))
        .returns(again.attempt(), UnitNoOp::attempt)
        .returns(4L, UnitNoOp::version);
    assertThat(bench.head().version()).isEqualTo(4);
  }

  @Test
  void aLivePreparationSurvivesAndPublishes() throws Exception {
    RunUnit compact = prepareCompaction();
    merge(4);

    retire(1);

    assertThat(bench.open().checkoutVersion(4).countRows()).isEqualTo(30);
    bench.grant(compact);
    bench.awaitReleased(compact);
    assertThat(published(compact).versions()).isNotEmpty();
    assertThat(bench.rows()).isEqualTo(40);
    retire(1);
    assertThat(files("data")).hasSize(2);
  }

  @Test
  void whatAKilledWorkerLeftGoesWithItsUnit() throws Exception {
    RunUnit killed = prepareCompaction();
    RunUnit live = prepareCompaction();
    Path left = prepared(killed);

    retire(1, live.attempt().unit().sequence());

    assertThat(left).doesNotExist();
    assertThat(prepared(live)).isDirectory();
    bench.grant(live);
    bench.awaitReleased(live);
    assertThat(published(live).versions()).isNotEmpty();
    assertThat(bench.rows()).isEqualTo(30);
    assertThat(files("data")).as("three merged ones and the compacted").hasSize(4);
  }

  @Test
  void aDescriptionThatCannotBeReadStaysAndTheRestGoes() throws Exception {
    RunUnit damaged = prepareCompaction();
    Files.writeString(descriptor(damaged), "not json");
    Path empty = Files.createDirectories(root().resolve("_prepared/1-1-1"));
    Files.writeString(empty.resolve("descriptor.json"), "{}");
    Path undescribed = Files.createDirectories(root().resolve("_prepared/2-1-1"));
    long data = files("data").size();

    RunUnit retire = retire(1, damaged.attempt().unit().sequence() + 1);

    assertThat(published(retire).files()).isPositive();
    assertThat(descriptor(damaged)).hasContent("not json");
    assertThat(empty).isDirectory();
    assertThat(undescribed).doesNotExist();
    assertThat(files("data")).hasSize((int) data);
    assertThat(bench.open().checkoutVersion(1).countRows()).as("it may be read").isZero();
  }

  @Test
  void whatAnAbandonedUnitGaveTheTableStays() throws Exception {
    RunUnit unit = prepareCompaction();
    byte[] kept = Files.readAllBytes(descriptor(unit));
    bench.grant(unit);
    bench.awaitReleased(unit);
    Files.createDirectory(prepared(unit));
    Files.write(descriptor(unit), kept);

    retire(1, unit.attempt().unit().sequence() + 1);

    assertThat(prepared(unit)).doesNotExist();
    assertThat(files("data")).as("the compacted file").hasSize(1);
  }

  private void merge(int generation) throws Exception {
    bench.wal.seal(A, generation, generation * 10, 10);
    publish(
        Kind.MERGE_WAL,
        new MergeWal(
            new TreeMap<>(Map.of(A, new GenerationRange(generation, generation))),
            new TreeMap<>(),
            MergeMode.APPEND,
            List.of()));
  }

  private RunUnit prepareCompaction() {
    return prepare(Kind.COMPACT, compact());
  }

  private RunUnit prepare(Kind kind, WorkSpec spec) {
    RunUnit unit = bench.order(kind, Mode.OUTSIDE, spec);
    bench.reports.await(PreparationReady.class, ready -> ready.attempt().equals(unit.attempt()));
    return unit;
  }

  /** Where an attempt keeps what it has not published. */
  private Path prepared(RunUnit unit) {
    return root().resolve("_prepared/" + unit.attempt().unit().sequence() + "-1-1");
  }

  private Path descriptor(RunUnit unit) {
    return prepared(unit).resolve("descriptor.json");
  }

  private void publish(Kind kind, WorkSpec spec) {
    RunUnit unit = prepare(kind, spec);
    bench.grant(unit);
    bench.awaitReleased(unit);
  }

  private static Compact compact() {
    return new Compact(Bench.TARGET_ROWS, 1 << 30, 100, List.of());
  }

  private RunUnit retire(long keepVersions) {
    return retire(keepVersions, 1);
  }

  private RunUnit retire(long keepVersions, long oldestLive) {
    RunUnit unit = bench.order(Kind.RETIRE, Mode.INSIDE, new Retire(keepVersions, oldestLive));
    bench.grant(unit);
    bench.awaitReleased(unit);
    return unit;
  }

  private UnitPublished published(RunUnit unit) {
    return bench.reports.await(
        UnitPublished.class, event -> event.attempt().equals(unit.attempt()));
  }

  private TableObserved observed() {
    List<TableObserved> all = bench.reports.all(TableObserved.class);
    return all.get(all.size() - 1);
  }

  private Path root() {
    return Path.of(bench.registered.uri());
  }

  private SortedSet<String> files(String folder) throws Exception {
    return names(root().resolve(folder));
  }

  private SortedSet<String> generations() throws Exception {
    return names(bench.wal.path(A, 1).resolveSibling(""));
  }

  private static SortedSet<String> names(Path folder) throws Exception {
    SortedSet<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(folder)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    }
    return names;
  }
}
