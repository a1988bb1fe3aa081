package io.turnkeeper.worker;

import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;

/** One attempt as its executor handles it. */
record LiveAttempt(
    RunUnit unit, AttemptControl control, AttemptReports reports, AttemptProgress progress) {

  void grant(GrantTurn grant) {
    control.grant(grant);
  }

  void cancel(CancelUnit order) {
    if (control.cancel(order, progress.flush())) {
      reports.failed("PREPARE", order.code(), order.message(), null);
    }
  }

  /**
   * Ends the attempt so that another can be made elsewhere, unless it publishes right now.
   *
   * @return whether it is still to be told that it was given back
   */
  boolean endUnlessPublishing() {
    return control.endUnlessPublishing();
  }
}
