package io.turnkeeper.worker;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries one attempt from its claim to its release. Whatever goes wrong with it ends here, told as
 * the end of this attempt; the others go on.
 */
final class AttemptThread implements Runnable {
  private static final Logger LOGGER = LoggerFactory.getLogger(AttemptThread.class);

  private final RunUnit unit;
  private final AttemptLife life;
  private final AttemptControl control;
  private final AttemptReports reports;
  private final MemoryBudget.Share memory;
  private final StepListener steps;

  AttemptThread(
      RunUnit unit,
      AttemptLife life,
      AttemptControl control,
      AttemptReports reports,
      MemoryBudget.Share memory,
      StepListener steps) {
    this.unit = unit;
    this.life = life;
    this.control = control;
    this.reports = reports;
    this.memory = memory;
    this.steps = steps;
  }

  @Override
  public void run() {
    try {
      live();
      cleanUp();
      if (!control.isSilenced()) {
        reports.released();
      }
    } catch (ReportFailedException e) {
      log(e, "stopped an attempt, since its facts cannot be told");
      control.end();
      cleanUp();
    }
  }

  private void live() {
    try {
      reports.claimed();
      steps.reached(unit.kind(), UnitStep.CLAIMED);
      life.live();
    } catch (WorkFailedException e) {
      if (control.end()) {
        reports.failed(life.phase(), e.code().name(), e.reason(), e.badGeneration());
      }
    } catch (WorkCancelledException e) {
      if (control.end() && control.isGivenBack()) {
        reports.declined(FailureCode.DRAINING);
      }
    } catch (InterruptedException e) {
      control.end();
      Thread.currentThread().interrupt();
    } catch (ReportFailedException e) {
      throw e;
    } catch (Exception | Error e) {
      // Native methods throw checked exceptions past the compiler too. An error of one unit, such
      // as memory that ran out, is no reason to leave the others alone.
      log(e, "an attempt failed by a fault of this program");
      if (control.end()) {
        reports.failed(life.phase(), FailureCode.UNKNOWN.name(), e.toString(), null);
      }
    }
  }

  private void cleanUp() {
    try {
      life.leaveNothing();
    } catch (WorkFailedException | IOException e) {
      log(e, "left files of an abandoned preparation");
    }
    try {
      memory.close();
    } catch (IllegalStateException e) {
      // Arrow tells of a leak this way; the memory is lost, the attempt's outcome is not.
      log(e, "an attempt leaked memory");
    }
  }

  private void log(Throwable e, String message) {
    LOGGER
        .atError()
        .addKeyValue("table", unit.table())
        .addKeyValue("unit", unit.attempt().unit())
        .setCause(e)
        .log(message);
  }
}
