package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.core.table.WorkSpec.Repair;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.storage.s3.TestStore;
import io.turnkeeper.worker.wal.Generations.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The life of a table whose files and log lie in a bucket. */
@ExtendWith(InBucket.class)
class PreparationOnS3IT extends BenchTestCase {
  @Override
  String place() {
    return InBucket.newPlace();
  }

  @Test
  void everyKindOfWorkIsDoneInABucket() throws Exception {
    mergeSome(1, 3);
    publish(Kind.COMPACT, compact());
    assertThat(observed().fragments()).isEqualTo(1);
    RunUnit index = prepare(Kind.INDEX, index());
    assertThat(files("_prepared"))
        .containsExactlyInAnyOrder("5-1-1/begun", "5-1-1/descriptor.json");
    publish(index);
    bench.wal.seal(A, 4, new Row("k15", 1_015), new Row("k99", 1_099));
    publish(Kind.MERGE_WAL, upsert(4));
    assertThat(bench.rows()).isEqualTo(31);
    assertThat(bench.rows("id = 'k15' AND n = 1015")).isEqualTo(1);

    assertThat(published(retire(1)).files()).isPositive();
    assertThat(files("data")).hasSize(2);
    assertThat(files("_prepared")).isEmpty();
    storage().delete(List.of("data/" + bench.newestDataFile()));
    assertThat(observe().missingFiles()).isEqualTo(1);
    assertThat(published(inside(Kind.REPAIR, new Repair())).rows()).isEqualTo(2);
    assertThat(bench.rows()).isEqualTo(29);
    assertNoSecretOnACommandLine();
  }

  private static WorkSpec upsert(long generation) {
    return new MergeWal(
        new TreeMap<>(Map.of(A, range(generation, generation))),
        new TreeMap<>(),
        MergeMode.UPSERT,
        List.of("id"));
  }

  private static void assertNoSecretOnACommandLine() throws Exception {
    String secret =
        Storage.at(TestStore.newRoot()).lanceOptions().getOrDefault("aws_secret_access_key", "");
    assertThat(secret).hasSizeGreaterThan(10);
    List<ProcessHandle> preparations =
        ProcessHandle.current()
            .children()
            .filter(child -> commandLine(child).contains("ChildMain"))
            .toList();
    // Others in this virtual machine may have left theirs ready, which know no bucket.
    assertThat(preparations)
        .anyMatch(child -> proc(child, "environ").contains("TURNKEEPER_STORAGE="));
    for (ProcessHandle child : preparations) {
      assertThat(commandLine(child)).doesNotContain(secret);
      assertThat(proc(child, "environ")).doesNotContain(secret);
    }
  }

  private static String commandLine(ProcessHandle process) {
    return proc(process, "cmdline");
  }

  private static String proc(ProcessHandle process, String file) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
