package io.turnkeeper.worker;

import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.worker.work.IndexCheck;
import io.turnkeeper.worker.work.Prepared;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
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
  void of(RunUnit unit, Prepared prepared, Dataset table) {
    try {
      equipment.damaged().addAll(IndexCheck.damaged(table, prepared));
      observe(unit, table);
    } catch (WorkFailedException | WorkCancelledException e) {
      LOGGER
          .atWarn()
          .addKeyValue("table", unit.table())
          .addKeyValue("unit", unit.attempt().unit())
          .addKeyValue("reason", e.getMessage())
          .log("published, but could not look at the table afterwards");
    }
  }

  void observe(RunUnit unit, Dataset table) throws WorkFailedException, WorkCancelledException {
    reports.send(
        equipment
            .observation()
            .of(table, unit.table(), unit.tableIncarnation(), unit.uri(), equipment.damaged()));
  }
}
