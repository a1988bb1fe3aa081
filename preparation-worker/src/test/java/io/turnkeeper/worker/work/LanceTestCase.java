package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.wal.Generations;
import java.nio.file.Path;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One table for each test, and an allocator that must be empty at its end. */
abstract class LanceTestCase {
  final RootAllocator allocator = new RootAllocator();
  final RecordedProgress progress = new RecordedProgress();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path dir;

  @SuppressWarnings("NullAway.Init")
  LanceTable table;

  @BeforeEach
  void createTable() {
    table = new LanceTable(place() + "/table", dir.resolve("wal"), allocator, Generations.SCHEMA);
  }

  /** Where the table is made. */
  String place() {
    return dir.toString();
  }

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  Prepared ready(Work work, Kind kind, WorkSpec spec) throws Exception {
    StagedWork.Ending ending =
        StagedWork.prepare(work, table.unit(kind, spec), allocator, progress);
    assertThat(ending.preparation()).isInstanceOf(Preparation.Ready.class);
    // As a worker does: from what is described, and nothing else.
    return Descriptor.read(Storage.at(table.uri()), ending.descriptor(), 0);
  }

  Preparation prepare(Work work, Kind kind, WorkSpec spec) throws Exception {
    return StagedWork.prepare(work, table.unit(kind, spec), allocator, progress).preparation();
  }
}
