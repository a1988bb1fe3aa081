package io.turnkeeper.worker.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.worker.authority.EtcdProcess;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few of the trials that the command runs by the thousand. */
class FenceTrialsIT {
  private static final int TRIALS = Integer.getInteger("trials", 20);

  @TempDir Path directory;

  /** Where the tables are made. */
  String place() {
    return directory.resolve("tables").toString();
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void noZombieCommitsAndNothingIsLostOrDoubled() throws Exception {
    try (EtcdProcess etcd = EtcdProcess.start()) {
      TrialReport report =
          new FenceTrials(etcd.endpoint(), directory, place(), System.nanoTime())
              .run(TRIALS, done -> {});
      assertThat(report.findings()).as("%s", report.lines()).isEmpty();
    }
  }

  @Test
  void everyCombinationIsTriedBeforeOneComesAgain() {
    assertThat(FenceTrials.combinations()).doesNotHaveDuplicates().hasSizeGreaterThan(200);
  }
}
