package io.turnkeeper.worker.work;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.worker.fence.FileErrors;
import io.turnkeeper.worker.fence.OpenTable;
import io.turnkeeper.worker.wal.GenerationFile;
import io.turnkeeper.worker.wal.InvalidWalException;
import io.turnkeeper.worker.wal.MergeStream;
import io.turnkeeper.worker.wal.WalGenerations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.WriteParams;

/** Writes generations of the log as fragments of the table, or over the rows with their keys. */
public final class MergeWork implements Work {
  private static final int MAX_ROWS_PER_FILE = 1 << 20;

  @Override
  public Preparation prepare(
      RunUnit unit, Staging staging, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    MergeWal spec = (MergeWal) unit.spec();
    WalGenerations wal = new WalGenerations(Place.of("log", unit.walUri()));
    List<GenerationFile> generations = generations(spec, wal);
    long rows = check(wal, generations);
    return LanceCall.of(
        () -> {
          try (Dataset pinned = OpenTable.newest(unit.uri(), allocator)) {
            WalRows source =
                new WalRows(wal, generations, rows, pinned.getSchema(), allocator, progress);
            return new Preparation.Ready(
                spec.mergeMode() == MergeMode.UPSERT && rows > 0
                    ? new Upsert(spec, pinned, staging, source).prepare()
                    : append(spec, pinned, staging, source));
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
        throw new WorkFailedException(
            FileErrors.codeOf(e),
            "cannot read " + generation.name() + ": " + FileErrors.said(e),
            e);
      }
    }
    return rows;
  }

  private static PreparedMerge append(
      MergeWal spec, Dataset pinned, Staging staging, WalRows source) throws Exception {
    List<FragmentMetadata> fragments =
        source.rows() == 0 ? List.of() : write(pinned, staging, source);
    requireRows(source.rows(), fragments);
    PreparedFiles files = staging.files();
    return new PreparedMerge(
        new MergeRanges(spec.ranges()),
        ColumnIds.of(pinned),
        fragments,
        files,
        Descriptor.artifact(pinned.version(), List.of(), files, source.rows()));
  }

  private static void requireRows(long sealed, List<FragmentMetadata> fragments) {
    long written = fragments.stream().mapToLong(FragmentMetadata::getPhysicalRows).sum();
    if (written != sealed) {
      throw new IllegalStateException(
          "expected " + sealed + " sealed rows in the fragments, but there are " + written);
    }
  }

  private static List<FragmentMetadata> write(Dataset pinned, Staging staging, WalRows source)
      throws Exception {
    staging.open(pinned, List.of(), source.allocator()).close();
    Map<String, String> options = staging.table().lanceOptions();
    return source.into(
        MergeStream.ALL,
        stream ->
            Fragment.write()
                .datasetUri(staging.table().location())
                .storageOptions(options)
                .allocator(source.allocator())
                .data(stream)
                .maxRowsPerFile(MAX_ROWS_PER_FILE)
                .mode(WriteParams.WriteMode.APPEND)
                .execute());
  }
}
