package io.turnkeeper.worker.work;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.WorkSpec.Retire;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import io.turnkeeper.events.wal.WalScan;
import io.turnkeeper.worker.fence.Leftovers;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import org.lance.Dataset;
import org.lance.cleanup.CleanupPolicy;
import org.lance.cleanup.RemovalStats;

/**
 * Removes what nobody needs of one table, under its turn. Each step only touches what is settled
 * for good, so one that is interrupted, or goes on after its turn was lost, does no harm.
 */
public final class Retirement {
  /** How many files go in one step, after which it can be stopped. */
  private static final int MAX_BATCH = 100;

  private final RunUnit unit;
  private final Dataset table;
  private final Progress progress;
  private long files;

  /**
   * Nothing is removed yet.
   *
   * @param table open at the head
   */
  public Retirement(RunUnit unit, Dataset table, Progress progress) {
    this.unit = unit;
    this.table = table;
    this.progress = progress;
  }

  /** Removes the generations that are in the table; the newest of each shard names its writer. */
  public void removeMerged(SortedMap<ShardId, Long> merged)
      throws WorkFailedException, WorkCancelledException {
    LanceCall.of(
        () -> {
          Storage log = Place.of("log", unit.walUri());
          remove(log, WalScan.merged(log, merged), "removed merged generations");
          return files;
        });
  }

  /**
   * Removes manifests that are left over. First those that waited: whoever sleeps since his commit
   * would bring an old version back by one of them.
   */
  public void removeLeftovers(Leftovers leftovers)
      throws WorkFailedException, WorkCancelledException {
    LanceCall.of(
        () -> {
          Storage storage = Place.of("table", unit.uri());
          remove(storage, leftovers.pending(), "removed pending manifests");
          remove(storage, leftovers.staged(), "removed staged manifests");
          return files;
        });
  }

  /** Removes what attempts left behind whose units are over, but for what they gave the table. */
  public void removeAbandoned() throws WorkFailedException, WorkCancelledException {
    LanceCall.of(
        () -> {
          Storage storage = Place.of("table", unit.uri());
          List<Abandoned> attempts = Abandoned.below(storage, spec().oldestLive());
          if (!attempts.isEmpty()) {
            NamedFiles named = NamedFiles.of(table);
            for (Abandoned attempt : attempts) {
              OptionalLong bytes = attempt.delete(named);
              if (bytes.isPresent()) {
                removed(1, bytes.getAsLong(), "removed abandoned preparations");
              }
            }
          }
          return files;
        });
  }

  /**
   * Removes old versions and what only they need. A version that a preparation reads stays, and so
   * does a tagged one.
   *
   * @return the lowest version that is kept for its age
   */
  public long removeVersions() throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> {
          long first = Math.max(1, table.version() - spec().keepVersions() + 1);
          first = Math.min(first, Pins.of(Place.of("table", unit.uri())).lowest());
          if (first > 1) {
            RemovalStats removed =
                table.cleanupWithPolicy(
                    CleanupPolicy.builder()
                        .withBeforeVersion(first)
                        .withErrorIfTaggedOldVersions(false)
                        // Others' preparations look like that.
                        .withDeleteUnverified(false)
                        .build());
            files +=
                removed.getOldVersions()
                    + removed.getDataFilesRemoved()
                    + removed.getIndexFilesRemoved()
                    + removed.getDeletionFilesRemoved();
            progress.completed(0, removed.getBytesRemoved(), 0, "removed old versions");
          }
          return first;
        });
  }

  private Retire spec() {
    return (Retire) unit.spec();
  }

  private void remove(Storage storage, List<StoredFile> unneeded, String step)
      throws IOException, WorkCancelledException {
    for (int i = 0; i < unneeded.size(); i += MAX_BATCH) {
      List<StoredFile> batch = unneeded.subList(i, Math.min(i + MAX_BATCH, unneeded.size()));
      storage.delete(batch.stream().map(StoredFile::name).toList());
      removed(batch.size(), batch.stream().mapToLong(StoredFile::bytes).sum(), step);
    }
  }

  private void removed(int count, long bytes, String step) throws WorkCancelledException {
    files += count;
    progress.completed(0, bytes, 0, step);
    progress.requireLive();
  }

  /** How many files and versions went. */
  public long files() {
    return files;
  }

  /**
   * How many bytes of the log and of left-over manifests would go now. What old versions and
   * abandoned preparations hold is not counted.
   */
  public static long garbageBytes(
      String walUri, SortedMap<ShardId, Long> merged, Leftovers leftovers) throws IOException {
    return leftovers.bytes()
        + WalScan.merged(Storage.at(walUri), merged).stream().mapToLong(StoredFile::bytes).sum();
  }
}
