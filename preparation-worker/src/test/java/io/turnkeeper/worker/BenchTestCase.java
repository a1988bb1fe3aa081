package io.turnkeeper.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.core.table.WorkSpec.Retire;
import io.turnkeeper.events.storage.Listing;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.child.Children;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A bench with a new table for each test, and the units that tests order there. */
@ExtendWith(SharedProcesses.class)
@SuppressWarnings("NullAway.Init")
abstract class BenchTestCase {
  static final ShardId A = new ShardId("a");
  static final ShardId B = new ShardId("b");
  static final IndexSpec INDEX = new IndexSpec("by_id", "id", IndexType.BTREE);

  static EtcdProcess etcd;
  static Children children;

  @TempDir Path dir;
  Bench bench;

  @BeforeEach
  final void openBench() {
    bench = bench(place(), StepListener.NONE);
  }

  private static Bench bench(String place, StepListener steps) {
    return new Bench(etcd, children, Bench.TABLE, place, steps, INDEX);
  }

  /** Where the table and its log are made; it ends with a slash. */
  String place() {
    return dir + "/";
  }

  /** A bench whose steps are heard, with a table of its own. */
  final void reopen(StepListener steps) throws Exception {
    bench.close();
    bench = bench(place() + "other/", steps);
  }

  @AfterEach
  final void closeBench() throws Exception {
    bench.close();
  }

  /** Seals generations of ten rows in shard a, and merges each by itself. */
  final void mergeSome(int first, int last) throws Exception {
    for (int generation = first; generation <= last; generation++) {
      bench.wal.seal(A, generation, generation * 10, 10);
      publish(Kind.MERGE_WAL, merge(Map.of(A, range(generation, generation))));
    }
  }

  final RunUnit prepare(Kind kind, WorkSpec spec) {
    RunUnit unit = bench.order(kind, Mode.OUTSIDE, spec);
    bench.reports.await(PreparationReady.class, ready -> ready.attempt().equals(unit.attempt()));
    return unit;
  }

  final RunUnit publish(Kind kind, WorkSpec spec) {
    return publish(prepare(kind, spec));
  }

  final RunUnit publish(RunUnit unit) {
    bench.grant(unit);
    bench.awaitReleased(unit);
    return unit;
  }

  final RunUnit inside(Kind kind, WorkSpec spec) {
    return publish(bench.order(kind, Mode.INSIDE, spec));
  }

  final RunUnit retire(long keepVersions) {
    return retire(keepVersions, 1);
  }

  final RunUnit retire(long keepVersions, long oldestLive) {
    return inside(Kind.RETIRE, new Retire(keepVersions, oldestLive));
  }

  final TableObserved observe() {
    bench.awaitReleased(bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe()));
    return observed();
  }

  final TableObserved observed() {
    List<TableObserved> all = bench.reports.all(TableObserved.class);
    return all.get(all.size() - 1);
  }

  final UnitPublished published(RunUnit unit) {
    return bench.reports.await(
        UnitPublished.class, event -> event.attempt().equals(unit.attempt()));
  }

  /** The table's directory, on a file system. */
  final Path root() {
    return Path.of(bench.registered.uri());
  }

  /** The table's files. */
  final Storage storage() {
    return Storage.at(bench.registered.uri());
  }

  /** Where an attempt keeps what it has not published. */
  static String prepared(RunUnit unit) {
    return "_prepared/" + unit.attempt().unit().sequence() + "-1-1/";
  }

  static String descriptor(RunUnit unit) {
    return prepared(unit) + "descriptor.json";
  }

  /** Puts other content in place of what is there, if anything is. */
  final void write(String name, String content) throws IOException {
    storage().delete(List.of(name));
    assertThat(storage().createIfAbsent(name, content.getBytes(UTF_8))).isTrue();
  }

  /** All files of the table, by their bytes. */
  final SortedMap<String, Long> files() throws IOException {
    SortedMap<String, Long> sizes = new TreeMap<>();
    addFiles("", sizes);
    return sizes;
  }

  private void addFiles(String folder, SortedMap<String, Long> sizes) throws IOException {
    Listing listing = storage().list(folder);
    listing.files().forEach(file -> sizes.put(file.name(), file.bytes()));
    for (String inner : listing.folders()) {
      addFiles(inner, sizes);
    }
  }

  /** The names of the files in one of the table's folders. */
  final List<String> files(String folder) throws IOException {
    return files().keySet().stream()
        .filter(file -> file.startsWith(folder + "/"))
        .map(file -> file.substring(folder.length() + 1))
        .toList();
  }

  static WorkSpec compact() {
    return new Compact(Bench.TARGET_ROWS, 1 << 30, 100, List.of());
  }

  static WorkSpec index() {
    return new BuildIndex(INDEX, List.of());
  }

  static GenerationRange range(long first, long last) {
    return new GenerationRange(first, last);
  }

  static WorkSpec merge(Map<ShardId, GenerationRange> ranges) {
    return new MergeWal(new TreeMap<>(ranges), new TreeMap<>(), MergeMode.APPEND, List.of());
  }
}
