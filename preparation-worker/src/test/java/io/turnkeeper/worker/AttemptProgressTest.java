package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.CheckpointEvent.WorkProgressed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptProgressTest {
  private static final Attempt ATTEMPT =
      new Attempt(new UnitId(new TableId("t"), 1), 1, new ExecutorId("e"), 1);

  private final RecordedReports reports = new RecordedReports();
  private long nanos = 1_000_000_000L;
  private final AttemptProgress progress =
      new AttemptProgress(new AttemptReports(ATTEMPT, reports), () -> false, () -> nanos);

  @Test
  void sumsAreToldAtMostTwiceASecond() {
    for (int i = 0; i < 100; i++) {
      progress.completed(10, 5, 1, "step " + i);
      nanos += Duration.ofMillis(10).toNanos();
    }
    assertThat(progress.flush()).isEqualTo(3);

    assertThat(reports.all(WorkProgressed.class))
        .containsExactly(
            new WorkProgressed(ATTEMPT, 1, 10, 5, 1, "step 0"),
            new WorkProgressed(ATTEMPT, 2, 510, 255, 51, "step 50"),
            new WorkProgressed(ATTEMPT, 3, 1000, 500, 100, "step 99"));
  }

  @Test
  void theLastWordBeforeASilenceIsToldWhenThePauseIsOver() {
    progress.completed(10, 5, 1, "first");
    progress.completed(10, 5, 1, "last");
    nanos += Duration.ofMillis(499).toNanos();
    progress.tellWhatIsDue();
    assertThat(reports.all(WorkProgressed.class)).hasSize(1);

    nanos += Duration.ofMillis(1).toNanos();
    progress.tellWhatIsDue();
    progress.tellWhatIsDue();

    assertThat(reports.all(WorkProgressed.class))
        .last()
        .isEqualTo(new WorkProgressed(ATTEMPT, 2, 20, 10, 2, "last"));
    assertThat(progress.flush()).isEqualTo(2);
  }

  @Test
  void nothingNewIsNotTold() {
    progress.completed(1, 1, 1, "done");

    assertThat(progress.flush()).isEqualTo(1);
    assertThat(progress.flush()).isEqualTo(1);
    assertThat(reports.all(WorkProgressed.class)).hasSize(1);
  }

  @Test
  void aReportThatFailsStopsTheWorkInsteadOfThrowingIntoIt() {
    reports.refuse(event -> true);

    progress.completed(1, 1, 1, "step");

    assertThat(progress.cancelled()).isTrue();
    assertThatThrownBy(progress::rethrowFailure).isInstanceOf(ReportFailedException.class);
  }
}
