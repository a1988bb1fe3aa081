package io.turnkeeper.worker;

import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.worker.fence.FencedTable;
import io.turnkeeper.worker.fence.Leftovers;
import io.turnkeeper.worker.work.Retirement;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Removes, under a turn, what nobody needs of a table any more. It commits nothing. */
final class RetireRun implements AttemptLife {
  private final RunUnit unit;
  private final Equipment equipment;
  private final AttemptControl control;
  private final AttemptReports reports;
  private final AttemptProgress progress;
  private final BufferAllocator allocator;
  private final TurnTaking turns;

  RetireRun(
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
    HeldTurn held = turns.await(control);
    try (FencedTable table =
        Opening.required(
            equipment
                .fence(unit.kind())
                .open(held, unit.uri(), allocator, Deadline.after(Patience.READ)))) {
      Retirement retirement = new Retirement(unit, table.dataset(), progress);
      remove(retirement, held);
      progress.flush();
      finish(held, retirement.files());
      new Aftermath(equipment, reports).observe(unit, table.dataset(), held.head());
    } finally {
      turns.release(held);
    }
  }

  private void remove(Retirement retirement, HeldTurn held)
      throws WorkFailedException, WorkCancelledException {
    Head head = held.head();
    retirement.removeMerged(head.mergedThrough());
    retirement.removeLeftovers(new Leftovers(head));
    // Before the versions, which abandoned preparations would pin.
    retirement.removeAbandoned();
    // That is one long call: what is done before it must be told by then.
    progress.flush();
    long kept = retirement.removeVersions();
    try {
      equipment.authority().forget(held, kept, Deadline.after(Patience.READ));
    } catch (AuthorityUnavailableException e) {
      throw new WorkFailedException(
          FailureCode.AUTHORITY_UNAVAILABLE, String.valueOf(e.getMessage()), e);
    }
  }

  private void finish(HeldTurn held, long files) {
    if (!control.end()) {
      return;
    }
    if (files == 0) {
      reports.nothingToDo(held.head().version(), "nothing is there that nobody needs");
    } else {
      reports.published(held.turn(), List.of(), held.head().mergedThrough(), 0, files);
    }
  }

  @Override
  public String phase() {
    return "PREPARE";
  }

  @Override
  public void leaveNothing() {}
}
