package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import java.util.List;

/** How far a preparation is. */
public sealed interface CheckpointEvent extends TableEvent, AttemptReport {
  @Override
  default TableId table() {
    return attempt().table();
  }

  /**
   * The worker pinned a version and chose what it reads, so that a preparation of another kind can
   * stay clear of it.
   */
  record PreparationPlanned(Attempt attempt, long readVersion, List<Long> sourceFragments)
      implements CheckpointEvent {
    public PreparationPlanned {
      Require.positive("readVersion", readVersion);
      sourceFragments = List.copyOf(sourceFragments);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return before.withAttempt(attempt, unit -> unit.planned(sourceFragments, now));
    }
  }

  /**
   * Data or index I/O was completed since the last report.
   *
   * @param sequence rises with every report of the attempt
   * @param bytesRead since the attempt began
   * @param bytesWritten since the attempt began
   * @param rows since the attempt began
   * @param step what is being done, for people
   */
  record WorkProgressed(
      Attempt attempt, long sequence, long bytesRead, long bytesWritten, long rows, String step)
      implements CheckpointEvent {
    public WorkProgressed {
      Require.positive("sequence", sequence);
      Require.count("bytesRead", bytesRead);
      Require.count("bytesWritten", bytesWritten);
      Require.count("rows", rows);
      Require.text("step", step);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return before.withAttempt(attempt, unit -> unit.progressed(sequence, now));
    }
  }

  /** The preparation is complete and waits for its turn. */
  record PreparationReady(Attempt attempt, Artifact artifact) implements CheckpointEvent {
    @Override
    public TableState applyTo(TableState before, Now now) {
      return before.withAttempt(attempt, unit -> unit.ready(artifact, now));
    }
  }
}
