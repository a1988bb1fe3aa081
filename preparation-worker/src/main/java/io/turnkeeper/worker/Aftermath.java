package io.turnkeeper.worker;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.worker.fence.FileErrors;
import io.turnkeeper.worker.fence.Leftovers;
import io.turnkeeper.worker.work.IndexCheck;
import io.turnkeeper.worker.work.Prepared;
import io.turnkeeper.worker.work.Retirement;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.IOException;
import org.lance.Dataset;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows a publication: a look at the indexes' answers, and at what the table needs now. */
final class Aftermath {
  private static final Logger LOGGER = LoggerFactory.getLogger(Aftermath.class);

  private final Equipment equipment;
  private final AttemptReports reports;

  Aftermath(Equipment equipment, AttemptReports reports) {
    this.equipment = equipment;
    this.reports = reports;
  }

  /**
   * Checks and observes {@code table}, which is open at the published version. The publication
   * stands whatever comes of it, so trouble is only logged; the next observation meets it again.
   */
  void of(RunUnit unit, Prepared prepared, Dataset table, Head head) {
    try {
      equipment.damaged().addAll(IndexCheck.damaged(table, unit.uri(), prepared));
      observe(unit, table, head);
    } catch (WorkFailedException | WorkCancelledException e) {
      LOGGER
          .atWarn()
          .addKeyValue("table", unit.table())
          .addKeyValue("unit", unit.attempt().unit())
          .addKeyValue("reason", e.getMessage())
          .log("published, but could not look at the table afterwards");
    }
  }

  void observe(RunUnit unit, Dataset table, Head head)
      throws WorkFailedException, WorkCancelledException {
    reports.send(
        equipment
            .observation()
            .of(
                table,
                unit.table(),
                unit.tableIncarnation(),
                unit.uri(),
                equipment.damaged(),
                garbageBytes(unit, head)));
  }

  private static long garbageBytes(RunUnit unit, Head head) throws WorkFailedException {
    try {
      return Retirement.garbageBytes(unit.walUri(), head.mergedThrough(), new Leftovers(head));
    } catch (IOException e) {
      throw new WorkFailedException(
          FileErrors.codeOf(e), "cannot look for garbage: " + FileErrors.said(e), e);
    }
  }
}
