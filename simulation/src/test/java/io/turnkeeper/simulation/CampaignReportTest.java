package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a campaign reports is counted once, and does not depend on how many lives run at a time. */
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

  @Test
  void aCampaignThatIsStoppedWhileItShrinksNamesTheLifeThatFailed() {
    StringWriter text = new StringWriter();
    CampaignReport report = new CampaignReport(new PrintWriter(text));
    Campaign[] campaign = new Campaign[1];
    Progress stopping =
        new Progress() {
          @Override
          public void lived(int lives, int seeds) {}

          @Override
          public void shrinking(int tried, int most, int actions) {
            report.printStopped(campaign[0], LIVES);
            Thread.currentThread().interrupt();
          }
        };
    campaign[0] = new Campaign(Rules.REAL.with(new Mutation.WallClock()), 1, stopping);
    assertThatThrownBy(() -> campaign[0].run(Scenario.CLOCK_AHEAD_AND_BACK, 1, 200, 400))
        .isInstanceOf(IllegalStateException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(text.toString())
        .containsOnlyOnce("stopped after")
        .containsPattern("FAILED +seed \\d+: ")
        .doesNotContain("none of which failed");
  }

  @Test
  void aTurnIsCountedOnceThoughItBeginsAndEnds() {
    Section turns = new Section(report(1, Rules.REAL), "turns granted");
    assertThat(turns.total()).isPositive().isEqualTo(turns.sum());
    assertThat(turns.lines()).isNotEmpty().allMatch(line -> !line.contains("granted"));
  }

  @Test
  void aFaultIsCountedOnceThoughItHasAnEffect() {
    String report = report(1, Rules.REAL);
    long drawn =
        LongStream.rangeClosed(1, LIVES)
            .mapToObj(seed -> Plan.of(Scenario.CLOCK_AHEAD_AND_BACK, seed, STEPS))
            .flatMap(plan -> plan.actions().stream())
            .map(Action::kind)
            .filter(kind -> kind.isFault())
            .count();
    Section faults = new Section(report, "faults drawn");
    assertThat(faults.total()).isPositive().isEqualTo(drawn).isEqualTo(faults.sum());
  }

  /** A heading with a total, and the indented lines that make it up. */
  private static final class Section {
    private final long total;
    private final List<String> lines;

    Section(String report, String heading) {
      Matcher found =
          Pattern.compile("^" + heading + " +([\\d,]+)\n((?: .*\n)*)", Pattern.MULTILINE)
              .matcher(report);
      assertThat(found.find()).as("%s in %s", heading, report).isTrue();
      total = number(found.group(1));
      lines = found.group(2).lines().map(String::strip).toList();
    }

    long total() {
      return total;
    }

    long sum() {
      return lines.stream().mapToLong(line -> number(line.split(" ", 2)[0])).sum();
    }

    List<String> lines() {
      return lines;
    }

    private static long number(String text) {
      return Long.parseLong(text.replace(",", ""));
    }
  }

  private static String report(int threads, Rules rules) {
    Campaign campaign = new Campaign(rules, threads, Progress.SILENT);
    Campaign.Failure failure = campaign.run(Scenario.CLOCK_AHEAD_AND_BACK, 1, LIVES, STEPS);
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    CampaignReport report = new CampaignReport(out);
    report.print(campaign, STEPS);
    if (failure != null) {
      report.print(failure);
    }
    out.flush();
    return text.toString();
  }
}
