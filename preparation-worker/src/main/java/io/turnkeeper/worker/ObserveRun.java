package io.turnkeeper.worker;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.events.wal.WalScan;
import io.turnkeeper.worker.fence.FileErrors;
import io.turnkeeper.worker.fence.TableSnapshot;
import io.turnkeeper.worker.work.IndexCheck;
import io.turnkeeper.worker.work.Place;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Looks at the authority, the table and its log, and tells what it saw. Under a turn it thereby
 * fences every lower one: what those committed is in the head now, or never will be.
 */
final class ObserveRun implements AttemptLife {
  private final RunUnit unit;
  private final Equipment equipment;
  private final AttemptControl control;
  private final AttemptReports reports;
  private final BufferAllocator allocator;
  private final TurnTaking turns;

  ObserveRun(
      RunUnit unit,
      Equipment equipment,
      AttemptControl control,
      AttemptReports reports,
      BufferAllocator allocator) {
    this.unit = unit;
    this.equipment = equipment;
    this.control = control;
    this.reports = reports;
    this.allocator = allocator;
    this.turns = new TurnTaking(equipment, reports);
  }

  @Override
  public void live() throws WorkFailedException, WorkCancelledException, InterruptedException {
    if (unit.mode() == Mode.OUTSIDE) {
      finish(0, observe());
      return;
    }
    HeldTurn held = turns.await(control);
    try {
      equipment.steps().reached(unit.kind(), UnitStep.TURN_TAKEN);
      finish(held.turn(), observe());
    } finally {
      turns.release(held);
    }
  }

  private void finish(long turn, SortedMap<ShardId, Long> merged) {
    if (control.end()) {
      reports.published(turn, List.of(), merged, 0, 0);
      equipment.steps().reached(unit.kind(), UnitStep.REPORTED);
    }
  }

  private SortedMap<ShardId, Long> observe() throws WorkFailedException, WorkCancelledException {
    try (TableSnapshot snapshot =
        Opening.required(
            equipment
                .fence(unit.kind())
                .read(unit.table(), allocator, Deadline.after(Patience.READ)))) {
      reports.head(snapshot.head());
      scanLog(snapshot.head());
      equipment.damaged().addAll(IndexCheck.damaged(snapshot.dataset(), unit.uri()));
      new Aftermath(equipment, reports).observe(unit, snapshot.dataset(), snapshot.head());
      return snapshot.head().mergedThrough();
    }
  }

  private void scanLog(Head head) throws WorkFailedException {
    try {
      WalScan.shards(Place.of("log", unit.walUri()), head.mergedThrough())
          .forEach(
              (shard, mark) ->
                  reports.send(
                      mark.toEvent(unit.table(), unit.tableIncarnation(), shard, SealSource.SCAN)));
    } catch (IOException e) {
      throw new WorkFailedException(
          FileErrors.codeOf(e),
          "cannot list the log " + unit.walUri() + ": " + FileErrors.said(e),
          e);
    }
  }

  @Override
  public String phase() {
    return "PREPARE";
  }

  @Override
  public void leaveNothing() {}
}
