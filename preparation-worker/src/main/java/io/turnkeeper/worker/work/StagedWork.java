package io.turnkeeper.worker.work;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import java.io.IOException;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** Prepares a unit in a place of its own, and leaves either all of the preparation or nothing. */
public final class StagedWork {
  private StagedWork() {}

  /** How that kind is prepared; empty for kinds that are not. */
  public static Optional<Work> of(Kind kind) {
    return switch (kind) {
      case MERGE_WAL -> Optional.of(new MergeWork());
      case COMPACT -> Optional.of(new CompactWork());
      case INDEX -> Optional.of(new IndexWork());
      case REPAIR -> Optional.of(new RepairWork());
      case OBSERVE, RETIRE -> Optional.empty();
    };
  }

  /** How a preparation ended, and where it is described if it waits to be published. */
  public record Ending(Preparation preparation, String descriptor) {}

  /**
   * Prepares {@code unit} and describes what came of it.
   *
   * @throws WorkFailedException saying what is wrong
   * @throws WorkCancelledException if {@code progress} said so
   */
  public static Ending prepare(
      Work work, RunUnit unit, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    Staging staging = Staging.of(unit);
    return LanceCall.of(
        () -> {
          // An empty directory may be where a table is to be mounted: nothing is made there.
          staging.requireTable();
          staging.create();
          try {
            Preparation preparation = work.prepare(unit, staging, allocator, progress);
            progress.requireLive();
            keep(staging, unit, preparation, progress);
            return new Ending(preparation, staging.descriptor());
          } catch (Exception | Error e) {
            discard(staging, e);
            throw e;
          }
        });
  }

  private static void keep(
      Staging staging, RunUnit unit, Preparation preparation, Progress progress)
      throws IOException {
    if (preparation instanceof Preparation.Ready ready) {
      // First the description: what is promoted can then be found and deleted.
      Descriptor.write(staging.descriptor(), unit, ready.prepared());
      staging.promote(ready.prepared().files(), progress);
    } else {
      staging.discard();
    }
  }

  /** What a table that was moved away meanwhile made fail is told as that. */
  private static void discard(Staging staging, Throwable cause) throws WorkFailedException {
    try {
      staging.discard();
      staging.requireTable();
    } catch (WorkFailedException gone) {
      leaveNoShell(staging, gone);
      gone.addSuppressed(cause);
      throw gone;
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private static void leaveNoShell(Staging staging, Throwable cause) {
    try {
      staging.leaveNoShell();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Deletes everything that an attempt at {@code unit} left, however it ended. */
  public static void discard(RunUnit unit) throws WorkFailedException, IOException {
    Staging.of(unit).discard();
  }

  /** Deletes what describes a preparation of {@code unit} that was published. */
  public static void forget(RunUnit unit) throws WorkFailedException, IOException {
    Staging.of(unit).forget();
  }
}
