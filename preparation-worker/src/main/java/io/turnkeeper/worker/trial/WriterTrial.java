package io.turnkeeper.worker.trial;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import io.turnkeeper.events.wal.SealOutcome;
import io.turnkeeper.events.wal.WalLayout;
import io.turnkeeper.events.wal.WalMark;
import io.turnkeeper.events.wal.WalScan;
import io.turnkeeper.events.wal.WalWriter;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * One writer of a log that is stopped inside a seal while others have its shard.
 *
 * @param sealed how many generations its successor seals meanwhile
 * @param removed whether what was merged is removed meanwhile, which frees the names
 */
record WriterTrial(WriterStep step, int sealed, boolean removed) implements Trial {
  static final int ROWS = 5;

  private static final String SHARD = "a";
  private static final int BEFORE = 2;

  @Override
  public String name() {
    return "writer stopped at "
        + step
        + ", meanwhile "
        + sealed
        + " generations sealed"
        + (removed ? ", all but the newest removed" : "");
  }

  @Override
  public String group() {
    return "WAL writer";
  }

  @Override
  public List<Finding> run(TrialTable table, HolderProcess holder, Random random) throws Exception {
    String wal = table.walUri();
    Storage log = Storage.at(wal);
    List<Finding> findings = new ArrayList<>();
    write(wal, BEFORE, 0);
    holder.order("WRITE", table.id().value(), wal, SHARD, "1000", step.name());
    holder.await(table.id().value(), ("AT " + step)::equals);
    holder.freeze();
    Digests stopped = Digests.of(log);
    holder.order("GO");
    if (sealed >= 0) {
      write(wal, sealed, 2_000);
    }
    long merged = removed ? removeAllButTheNewest(log) : 0;
    Digests between = Digests.of(log);
    holder.thaw();
    String answer =
        holder.await(
            table.id().value(), line -> line.startsWith("SEALED") || line.startsWith("FENCED"));
    Digests end = Digests.of(log);
    named(stopped.overwritten(end), findings);
    named(between.overwritten(end), findings);
    write(wal, 1, 3_000);
    boolean acknowledged = answer.startsWith("SEALED");
    ShardId shard = new ShardId(SHARD);
    WalMark mark = WalScan.shards(log, Map.of(shard, merged)).getOrDefault(shard, WalMark.NONE);
    long rows = (long) ROWS * (BEFORE + Math.max(0, sealed) + 1 + (acknowledged ? 1 : 0));
    if (mark.rowsThrough() != rows) {
      findings.add(
          new Finding(
              mark.rowsThrough() < rows ? Violation.LOST_COMMIT : Violation.DOUBLED_ROWS,
              "expected " + rows + " rows after " + answer + ", but the log says " + mark));
    }
    return findings;
  }

  private static void named(List<String> overwritten, List<Finding> findings) {
    // Temporary files are the writer's own; only a generation that has its name is anybody's.
    overwritten.stream()
        .filter(file -> generationOf(file).isPresent())
        .forEach(file -> findings.add(new Finding(Violation.OVERWRITTEN, file)));
  }

  private static OptionalLong generationOf(String file) {
    return WalLayout.generationOf(file.substring(file.lastIndexOf('/') + 1));
  }

  private static void write(String wal, int generations, int firstRow) throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        WalWriter writer =
            WalWriter.open(
                new io.turnkeeper.core.TableId("log"),
                1,
                wal,
                new ShardId(SHARD),
                event -> new CompletableFuture<>(),
                Clock.systemUTC())) {
      for (int i = 0; i < generations; i++) {
        TrialRows.append(writer, firstRow + i * ROWS, ROWS, allocator);
        if (!(writer.seal() instanceof SealOutcome.Sealed)) {
          throw new IllegalStateException("expected a writer that nobody disturbs to seal");
        }
      }
    }
  }

  /** As if all of it were merged; the newest generation of what is removed. */
  private static long removeAllButTheNewest(Storage log) throws IOException {
    List<String> generations =
        log.list(SHARD + "/").files().stream()
            .map(StoredFile::name)
            .filter(file -> generationOf(file).isPresent())
            .toList();
    List<String> removed = generations.subList(0, generations.size() - 1);
    log.delete(removed);
    return removed.isEmpty() ? 0 : generationOf(removed.get(removed.size() - 1)).orElseThrow();
  }
}
