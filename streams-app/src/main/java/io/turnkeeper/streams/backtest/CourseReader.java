package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.MemoryPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads from the recorded steps how long each part of an attempt took. */
final class CourseReader {
  /** One attempt as far as it has come. */
  private static final class Seen {
    private final RunUnit run;
    private final int sizeLog2;
    private final long assigned;
    private long claimed;
    private long ready;
    private long granted;
    private long taken;
    private long published;
    private long released;
    private long peakBytes;

    private Seen(RunUnit run, int sizeLog2, long assigned) {
      this.run = run;
      this.sizeLog2 = sizeLog2;
      this.assigned = assigned;
    }

    private Course course() {
      long claim = Math.max(assigned, claimed);
      long begun = taken > 0 ? taken : claim;
      return new Course(
          claim - assigned,
          ready == 0 ? 0 : Math.max(0, ready - claim),
          granted == 0 ? 0 : Math.max(0, taken - granted),
          Math.max(0, published - begun),
          released == 0 ? 0 : Math.max(0, released - published),
          peakBytes);
    }
  }

  private final Map<Attempt, Seen> open = new HashMap<>();
  private final List<Seen> published = new ArrayList<>();
  private long failed;
  private long foundNothing;

  /** Takes the next step of a partition, which has folded it already. */
  void take(JournalStep step, MemoryPartition<TableState> partition) {
    long at = step.entry().atMillis();
    hear(step.entry().event(), at);
    for (DecisionRecord record : step.decisions()) {
      Decision decision = record.decision();
      if (decision instanceof RunUnit run) {
        TableState state = partition.get(run.table().value());
        int size = state == null ? 0 : Size.log2(run.spec(), state);
        open.put(run.attempt(), new Seen(run, size, at));
      } else if (decision instanceof GrantTurn grant && open.get(grant.attempt()) != null) {
        open.get(grant.attempt()).granted = at;
      }
    }
  }

  private void hear(Event event, long at) {
    if (event instanceof UnitClaimed claim && open.get(claim.attempt()) != null) {
      open.get(claim.attempt()).claimed = at;
    } else if (event instanceof PreparationReady done && open.get(done.attempt()) != null) {
      open.get(done.attempt()).ready = at;
    } else if (event instanceof TurnTaken taken && open.get(taken.attempt()) != null) {
      open.get(taken.attempt()).taken = at;
    } else if (event instanceof UnitPublished done && open.get(done.attempt()) != null) {
      Seen seen = open.get(done.attempt());
      if (seen.published == 0) {
        seen.published = at;
        published.add(seen);
      }
    } else if (event instanceof UnitReleased released) {
      Seen seen = open.remove(released.attempt());
      if (seen != null) {
        seen.released = at;
        seen.peakBytes = released.peakBytes();
      }
    } else if (event instanceof UnitFailed) {
      failed++;
    } else if (event instanceof UnitNoOp) {
      foundNothing++;
    }
  }

  /** Attempts that said they failed. */
  long failed() {
    return failed;
  }

  /** Attempts that found nothing to do. */
  long foundNothing() {
    return foundNothing;
  }

  /** All that was read, in the order in which the attempts were assigned. */
  Durations durations() {
    Durations durations = new Durations();
    published.stream()
        .sorted(
            Comparator.<Seen>comparingLong(seen -> seen.assigned)
                .thenComparing(seen -> seen.run.table().value())
                .thenComparing(seen -> seen.run.attempt().unit().sequence()))
        .forEach(
            seen ->
                durations.add(
                    new Durations.Work(seen.run.kind(), seen.run.mode()),
                    seen.sizeLog2,
                    seen.course()));
    return durations;
  }
}
