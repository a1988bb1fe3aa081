package io.turnkeeper.worker;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.worker.fence.FencedTable;
import io.turnkeeper.worker.work.Preparation;
import io.turnkeeper.worker.work.Prepared;
import io.turnkeeper.worker.work.StagedWork;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.IOException;
import java.time.Duration;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** The life of one attempt that is prepared and published, on its own thread. */
final class UnitRun implements AttemptLife {
  /** Whose the prepared files are. */
  private enum Files {
    OURS,
    THE_TABLES,
    NOBODY_KNOWS
  }

  private final RunUnit unit;
  private final Equipment equipment;
  private final AttemptControl control;
  private final AttemptReports reports;
  private final AttemptProgress progress;
  private final BufferAllocator allocator;
  private final TurnTaking turns;
  private String phase = "PREPARE";
  private @Nullable Prepared prepared;
  private Files files = Files.OURS;

  UnitRun(
      RunUnit unit,
      Equipment equipment,
      AttemptControl control,
      AttemptReports reports,
      AttemptProgress progress,
      BufferAllocator allocator) {
    this.unit = unit;
    this.equipment = equipment;
    this.control = control;
    this.reports = reports;
    this.progress = progress;
    this.allocator = allocator;
    this.turns = new TurnTaking(equipment, reports);
  }

  @Override
  public void live() throws WorkFailedException, WorkCancelledException, InterruptedException {
    if (unit.mode() == Mode.OUTSIDE && !prepareAhead()) {
      return;
    }
    while (true) {
      GrantTurn grant = control.awaitGrant();
      phase = "TAKE";
      HeldTurn held = turns.take(grant);
      if (held != null && use(held, grant)) {
        return;
      }
    }
  }

  @Override
  public String phase() {
    return phase;
  }

  @Override
  public void leaveNothing() throws WorkFailedException, IOException {
    switch (files) {
      case OURS -> StagedWork.discard(unit);
      case THE_TABLES -> StagedWork.forget(unit);
      case NOBODY_KNOWS -> {
        // Its description stays, for whoever finds out.
      }
    }
  }

  private boolean prepareAhead()
      throws WorkFailedException, WorkCancelledException, InterruptedException {
    if (!prepare()) {
      return false;
    }
    progress.flush();
    reports.ready(required().artifact());
    reached(UnitStep.PREPARED);
    return true;
  }

  /** Whether there is something to publish. */
  private boolean prepare()
      throws WorkFailedException, WorkCancelledException, InterruptedException {
    Preparation preparation;
    try {
      preparation = equipment.work().prepare(unit, new UnitAttended(control, reports, progress));
    } catch (WorkCancelledException e) {
      // It may have been stopped because its facts could not be told.
      progress.rethrowFailure();
      throw e;
    }
    boolean something = keep(preparation);
    progress.rethrowFailure();
    return something;
  }

  private boolean keep(Preparation preparation) {
    return preparation.match(
        new Preparation.Cases<Boolean>() {
          @Override
          public Boolean ready(Prepared ready) {
            prepared = ready;
            return true;
          }

          @Override
          public Boolean nothing(long version, String reason) {
            if (control.end()) {
              reports.nothingToDo(version, reason);
            }
            return false;
          }
        });
  }

  /** Whether the attempt is over after this turn. */
  private boolean use(HeldTurn held, GrantTurn grant)
      throws WorkFailedException, WorkCancelledException, InterruptedException {
    try {
      if (prepared == null) {
        phase = "PREPARE";
        settle(held);
        if (!prepare()) {
          return true;
        }
        progress.flush();
        reached(UnitStep.PREPARED);
      }
      phase = "PUBLISH";
      control.beginPublishing();
      Publication.Result result = publish(held, grant);
      return result != Publication.Result.TURN_LOST || cancelledMeanwhile();
    } catch (WorkFailedException e) {
      if (e.code() != FailureCode.AUTHORITY_UNAVAILABLE) {
        throw e;
      }
      // It could not say whether the table may be opened: the files are good for another turn.
      reports.refused(grant.turn(), e.code(), e.reason());
      return cancelledMeanwhile();
    } finally {
      // Does no harm if the commit gave it back already.
      turns.release(held);
    }
  }

  /** Materialises what an earlier holder committed and could not, so that it is prepared upon. */
  private void settle(HeldTurn held) throws WorkFailedException {
    open(held, Patience.READ).close();
  }

  private Publication.Result publish(HeldTurn held, GrantTurn grant)
      throws WorkFailedException, WorkCancelledException {
    Prepared ready = required();
    try (FencedTable table = open(held, Duration.ofMillis(grant.deadlineMillis()))) {
      Publication publication = new Publication(unit, reports);
      if (publication.isStale(table, ready)) {
        control.end();
        return Publication.Result.REFUSED;
      }
      // From here to the answer nobody knows whose the files are.
      files = Files.NOBODY_KNOWS;
      Publication.Result result = publication.commit(table, ready);
      files = ownersAfter(result);
      if (result == Publication.Result.PUBLISHED) {
        control.end();
        reached(UnitStep.REPORTED);
        new Aftermath(equipment, reports).of(unit, ready, table.dataset(), table.held().head());
      } else if (result != Publication.Result.TURN_LOST) {
        control.end();
      }
      return result;
    } catch (WorkFailedException e) {
      // A refusal with a code of its own: nothing was committed.
      files = Files.OURS;
      throw e;
    }
  }

  private static Files ownersAfter(Publication.Result result) {
    return switch (result) {
      case PUBLISHED -> Files.THE_TABLES;
      case REFUSED, TURN_LOST -> Files.OURS;
      case UNKNOWN -> Files.NOBODY_KNOWS;
    };
  }

  private boolean cancelledMeanwhile() {
    CancelUnit order = control.endPublishing();
    if (order != null) {
      reports.failed(phase, order.code(), order.message(), null);
    }
    return order != null;
  }

  private FencedTable open(HeldTurn held, Duration patience) throws WorkFailedException {
    return Opening.required(
        equipment.fence(unit.kind()).open(held, unit.uri(), allocator, Deadline.after(patience)));
  }

  private void reached(UnitStep step) {
    equipment.steps().reached(unit.kind(), step);
  }

  private Prepared required() {
    Prepared ready = prepared;
    if (ready == null) {
      throw new IllegalStateException("expected a preparation of " + unit.attempt());
    }
    return ready;
  }
}
