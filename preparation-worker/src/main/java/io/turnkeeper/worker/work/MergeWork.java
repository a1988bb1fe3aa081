package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.worker.wal.GenerationFile;
import io.turnkeeper.worker.wal.InvalidWalException;
import io.turnkeeper.worker.wal.MergeStream;
import io.turnkeeper.worker.wal.WalGenerations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteParams;

/** Writes generations of the log as fragments of the table, ready to be appended. */
public final class MergeWork implements Work {
  private static final int MAX_ROWS_PER_FILE = 1 << 20;

  @Override
  public Preparation prepare(RunUnit unit, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    MergeWal spec = (MergeWal) unit.spec();
    if (spec.mergeMode() != MergeMode.APPEND) {
      throw new WorkFailedException(
          FailureCode.BAD_POLICY,
          "expected merge mode APPEND, but the table asks for "
              + spec.mergeMode()
              + ", which this worker cannot do yet");
    }
    WalGenerations wal = new WalGenerations(LocalPath.of("log", unit.walUri()));
    List<GenerationFile> generations = generations(spec, wal);
    long rows = check(wal, generations);
    return LanceCall.of(
        () -> {
          try (Dataset table = OpenTable.newest(unit.uri(), allocator)) {
            List<FragmentMetadata> fragments =
                rows == 0
                    ? List.of()
                    : write(unit, table.getSchema(), wal, generations, allocator, progress);
            requireRows(rows, fragments);
            return new Preparation.Ready(
                PreparedMerge.of(
                    spec,
                    table.version(),
                    ColumnIds.of(table),
                    fragments,
                    PreparedFiles.ofFragments(TableFiles.at(unit.uri()), fragments),
                    rows));
          }
        });
  }

  private static List<GenerationFile> generations(MergeWal spec, WalGenerations wal) {
    List<GenerationFile> files = new ArrayList<>();
    for (var entry : spec.ranges().entrySet()) {
      ShardId shard = entry.getKey();
      GenerationRange range = entry.getValue();
      List<Long> skipped = spec.skipped().getOrDefault(shard, List.of());
      for (long generation = range.first(); generation <= range.last(); generation++) {
        if (!skipped.contains(generation)) {
          files.add(wal.file(shard, generation));
        }
      }
    }
    return files;
  }

  /** Before a row is written, so that a bad generation leaves nothing to clean up. */
  private static long check(WalGenerations wal, List<GenerationFile> generations)
      throws WorkFailedException {
    long rows = 0;
    for (GenerationFile generation : generations) {
      try {
        rows += wal.check(generation).rows();
      } catch (InvalidWalException e) {
        throw new WorkFailedException(e);
      } catch (IOException e) {
        throw new WorkFailedException(FailureCode.IO, "cannot read " + generation.path(), e);
      }
    }
    return rows;
  }

  private static List<FragmentMetadata> write(
      RunUnit unit,
      Schema schema,
      WalGenerations wal,
      List<GenerationFile> generations,
      BufferAllocator allocator,
      Progress progress)
      throws WorkFailedException, WorkCancelledException, IOException {
    MergeStream stream =
        new MergeStream(
            allocator,
            wal,
            generations,
            schema,
            (bytes, rows) -> {
              progress.completed(bytes, 0, rows, "merging generations");
              return !progress.cancelled();
            });
    List<FragmentMetadata> fragments = write(unit.uri(), stream, allocator);
    try {
      stream.rethrowFailure();
      progress.requireLive();
    } catch (InvalidWalException e) {
      PreparedFiles.ofFragments(TableFiles.at(unit.uri()), fragments).delete();
      throw new WorkFailedException(e);
    } catch (WorkCancelledException | IOException | RuntimeException e) {
      PreparedFiles.ofFragments(TableFiles.at(unit.uri()), fragments).delete();
      throw e;
    }
    return fragments;
  }

  private static void requireRows(long sealed, List<FragmentMetadata> fragments) {
    long written = fragments.stream().mapToLong(FragmentMetadata::getPhysicalRows).sum();
    if (written != sealed) {
      throw new IllegalStateException(
          "expected " + sealed + " sealed rows in the fragments, but there are " + written);
    }
  }

  private static List<FragmentMetadata> write(
      String uri, MergeStream stream, BufferAllocator allocator) {
    // The exported stream closes the reader when its consumer is done with it.
    try (ArrowArrayStream exported = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, stream, exported);
      return Fragment.write()
          .datasetUri(uri)
          .allocator(allocator)
          .data(exported)
          .maxRowsPerFile(MAX_ROWS_PER_FILE)
          .mode(WriteParams.WriteMode.APPEND)
          .execute();
    }
  }
}
