package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.simulation.plan.Scenario;
import org.junit.jupiter.api.Test;

/**
 * The rules survive many lives in which everything happens that can; {@code
 * -Dturnkeeper.test.flags=-Dlives=1000} lives more of them.
 */
class CampaignTest {
  private static final int LIVES = Integer.getInteger("lives", 200);
  private static final int THREADS = Runtime.getRuntime().availableProcessors();
  private static final int STEPS = 2_000;

  @Test
  void theRulesSurvive() {
    Campaign campaign = new Campaign(Rules.REAL, THREADS, Progress.SILENT);
    assertThat(campaign.run(Scenario.EVERYTHING, 1, LIVES, STEPS)).isNull();
    assertThat(campaign.lives()).isEqualTo(LIVES);
  }
}
