package io.turnkeeper.simulation;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;

import io.turnkeeper.core.Kind;
import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.Indices;
import io.turnkeeper.simulation.plan.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/** Prints what a campaign tried, how long things waited, and how a failure is seen again. */
final class CampaignReport {
  private final PrintWriter out;

  CampaignReport(PrintWriter out) {
    this.out = out;
  }

  void print(Campaign campaign, int steps, Duration took) {
    SortedMap<String, Long> counts = campaign.tally().counts();
    double seconds = took.toMillis() / 1_000.0;
    out.printf(
        "lives     %,d of %,d steps in %.1f s, %,.0f steps a second%n",
        campaign.lives(), steps, seconds, (double) campaign.lives() * steps / seconds);
    section("events", counts, "event ");
    section("faults", counts, "fault: ");
    section("decisions", counts, "decision ");
    section("turns", counts, "turn ");
    section("units", counts, "unit ");
    section("checks", counts, "checked: ");
    waits(campaign.waits());
  }

  private void waits(Waits waits) {
    out.println("turns of others between ready and granted");
    for (Kind kind : Kind.values()) {
      out.println("  " + waits.turnsLine(kind));
    }
    out.println("from request to publication");
    for (Kind kind : Kind.values()) {
      out.println("  " + waits.waitLine(kind));
    }
    out.println("attempts until published, where merges go on meanwhile (at most 3)");
    out.printf("  COMPACT %d, INDEX %d%n", waits.attempts(COMPACT), waits.attempts(INDEX));
    out.println("all pending generations merged after the last fault");
    out.println("  " + waits.drainLine());
  }

  private void section(String title, SortedMap<String, Long> counts, String prefix) {
    long total =
        counts.entrySet().stream()
            .filter(one -> one.getKey().startsWith(prefix))
            .mapToLong(Map.Entry::getValue)
            .sum();
    out.printf("%-9s %,d%n", title, total);
    counts.forEach(
        (what, count) -> {
          if (what.startsWith(prefix)) {
            out.printf("  %,12d  %s%n", count, what.substring(prefix.length()));
          }
        });
  }

  void print(Campaign.Failure failure) {
    Plan shrunk = failure.shrunk();
    out.printf("FAILED    seed %d: %s%n", shrunk.seed(), failure.violation().getMessage());
    out.printf("smallest plan found, %d of %d actions:%n", shrunk.actions().size(), shrunk.steps());
    shrunk.actions().forEach(action -> out.println("  " + action));
    out.printf("see it again, with all that happens:%n  %s%n", command(shrunk));
  }

  private static String command(Plan plan) {
    return "./turnkeeper simulate --scenario "
        + plan.scenario()
        + " --seed "
        + plan.seed()
        + " --steps "
        + plan.steps()
        + " --only "
        + Indices.format(plan.actions().stream().map(Action::index).toList());
  }
}
