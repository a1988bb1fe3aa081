package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.simulation.plan.Scenario;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a campaign reports does not depend on how many lives run at a time. */
class CampaignReportTest {
  private static final int LIVES = 6;
  private static final int STEPS = 100;

  @Test
  void theReportDoesNotDependOnTheThreads() {
    assertThat(report(4, Rules.REAL)).contains("6 of 100 steps").isEqualTo(report(1, Rules.REAL));
  }

  @Test
  void norDoesTheFailureThatIsFound() {
    Rules mutated = Rules.REAL.with(new Mutation.DeafToTheHead());
    assertThat(report(4, mutated)).contains("FAILED").isEqualTo(report(1, mutated));
  }

  private static String report(int threads, Rules rules) {
    Campaign campaign = new Campaign(rules, threads, Progress.SILENT);
    Campaign.Failure failure = campaign.run(Scenario.CLOCK_AHEAD_AND_BACK, 1, LIVES, STEPS);
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    CampaignReport report = new CampaignReport(out);
    report.print(campaign, STEPS, Duration.ofSeconds(1));
    if (failure != null) {
      report.print(failure);
    }
    out.flush();
    return text.toString();
  }
}
