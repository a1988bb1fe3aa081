package io.turnkeeper.simulation.worker;

import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.table.Tables;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An attempt that prepares and publishes. */
final class WorkLife extends AttemptLife {
  private long progress;
  private @Nullable Prepared prepared;

  WorkLife(SimExecutor executor, RunUnit run) {
    super(executor, run);
  }

  long progress() {
    return progress;
  }

  @Override
  void prepare() {
    if (run.mode() == Mode.OUTSIDE) {
      plan(
          () -> {
            Prepared ready = required();
            executor.reached(Point.PREPARED);
            say(
                new CheckpointEvent.PreparationReady(
                    attempt(),
                    new Artifact(ready.readVersion(), ready.sources(), 1, 1, 1, "", 0, "")));
            awaitGrant();
          });
    } else {
      awaitGrant();
    }
  }

  private void plan(Runnable then) {
    SimTable table = table();
    if (table == null) {
      fail("PREPARE", "NO_SUCH_TABLE", "its directory is another's", null);
      return;
    }
    BadGeneration bad = bad(table);
    if (bad != null) {
      fail("PREPARE", "INVALID_WAL", "cannot be read", bad);
      return;
    }
    Prepared plan = Work.prepare(run.spec(), table);
    if (plan == null) {
      say(new PublishEvent.UnitNoOp(attempt(), table.version(), "nothing to do"));
      end();
      return;
    }
    prepared = plan;
    if (run.kind() != Kind.MERGE_WAL) {
      say(new CheckpointEvent.PreparationPlanned(attempt(), plan.readVersion(), plan.sources()));
    }
    String failure = executor.nextFailure();
    work(executor.dice().between(1, 5), failure, then);
  }

  private void work(long stepsLeft, @Nullable String failure, Runnable then) {
    step(
        executor.dice().between(20, 1_500),
        () -> {
          if (stepsLeft == 0 && SimExecutor.STALL.equals(failure)) {
            return; // No word ever again.
          }
          if (stepsLeft == 0 && failure != null) {
            fail("PREPARE", failure, "as it was to be", null);
          } else if (stepsLeft == 0) {
            then.run();
          } else {
            progress++;
            say(new CheckpointEvent.WorkProgressed(attempt(), progress, 1, 1, 1, "reading"));
            work(stepsLeft - 1, failure, then);
          }
        });
  }

  private @Nullable BadGeneration bad(SimTable table) {
    if (run.spec() instanceof WorkSpec.MergeWal merge) {
      for (Map.Entry<ShardId, WorkSpec.GenerationRange> range : merge.ranges().entrySet()) {
        List<Long> skipped = merge.skipped().getOrDefault(range.getKey(), List.of());
        long found =
            table
                .log(range.getKey())
                .firstBad(range.getValue().first(), range.getValue().last(), skipped);
        if (found != 0) {
          return new BadGeneration(range.getKey(), found);
        }
      }
    }
    return null;
  }

  @Override
  void use(HeldTurn turn) {
    if (prepared == null) {
      plan(() -> publish(turn));
    } else {
      step(executor.dice().between(1, 30), () -> publish(turn));
    }
  }

  private void publish(HeldTurn turn) {
    beginPublishing();
    SimTable table = table();
    boolean stale =
        table == null
            || turn.head().tableIncarnation() != run.tableIncarnation()
            || required().stale().test(table)
            || !followsOn(turn.head());
    if (stale) {
      tell(turn.head());
      refused(turn.turn(), "STALE_PREPARATION", "the table moved on");
      end();
      return;
    }
    executor.reached(Point.VALIDATED);
    step(executor.dice().between(1, 60), () -> commit(turn));
  }

  private boolean followsOn(Head head) {
    return !(run.spec() instanceof WorkSpec.MergeWal merge)
        || merge.ranges().entrySet().stream()
            .allMatch(range -> range.getValue().first() == head.mergedThrough(range.getKey()) + 1);
  }

  private void commit(HeldTurn turn) {
    Prepared ready = required();
    Commit commit =
        new Commit(
            turn.head().version() + 1,
            executor.around().tables().stage(ready.change()),
            ready.merged(),
            true);
    CommitOutcome outcome = executor.around().authority().commit(turn, commit, Tables.NO_DEADLINE);
    if (outcome instanceof CommitOutcome.Committed committed) {
      executor.reached(Point.COMMITTED);
      step(executor.dice().below(10), () -> published(turn.turn(), committed.head()));
    } else if (outcome instanceof CommitOutcome.Fenced fenced) {
      fenced(turn.turn(), fenced);
    } else if (outcome instanceof CommitOutcome.Unknown unknown) {
      fail("PUBLISH", unknown.code().name(), unknown.message(), null);
    }
  }

  private void published(long turn, Head head) {
    tell(head);
    say(
        new PublishEvent.UnitPublished(
            attempt(), turn, List.of(head.version()), required().merged(), 1, 1, 0));
    SimTable table = table();
    if (table != null) {
      observe(table);
    }
    end();
  }

  private void fenced(long turn, CommitOutcome.Fenced fenced) {
    Head head = fenced.head();
    if (head != null) {
      tell(head);
    }
    boolean again = fenced.code().endsOnlyTheTurn();
    if (!again && fenced.code().failureClass() != FailureCode.FailureClass.STALE) {
      fail("PUBLISH", fenced.code().name(), fenced.message(), null);
      return;
    }
    refused(turn, fenced.code().name(), fenced.message());
    if (again) {
      goOnWaiting();
    } else {
      end();
    }
  }

  private Prepared required() {
    Prepared ready = prepared;
    if (ready == null) {
      throw new IllegalStateException("expected a preparation of " + attempt());
    }
    return ready;
  }
}
