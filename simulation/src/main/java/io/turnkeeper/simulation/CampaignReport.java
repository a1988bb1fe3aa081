package io.turnkeeper.simulation;

import io.turnkeeper.core.Kind;
import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.Indices;
import io.turnkeeper.simulation.plan.Plan;
import java.io.PrintWriter;
import java.util.Map;
import java.util.SortedMap;

/** Prints what a campaign tried, how long things waited, and how a failure is seen again. */
final class CampaignReport {
  private final PrintWriter out;

  CampaignReport(PrintWriter out) {
    this.out = out;
  }

  void print(Campaign campaign) {
    SortedMap<String, Long> counts = campaign.tally().counts();
    out.printf("lives     %d%n", campaign.lives());
    section("events", counts, "event ");
    section("faults", counts, "fault: ");
    section("decisions", counts, "decision ");
    section("units", counts, "unit ");
    out.println("waits, from request to publication");
    Waits waits = campaign.waits();
    for (Kind kind : Kind.values()) {
      out.println("  " + waits.line(kind));
    }
    out.printf(
        "  stale preparations in a row  %d at worst%n"
            + "  all merged after the last fault  %.1f s at worst%n",
        waits.staleInARow(), waits.drainMillis() / 1_000.0);
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
    return "./turnkeeper simulate --seed "
        + plan.seed()
        + " --steps "
        + plan.steps()
        + " --only "
        + Indices.format(plan.actions().stream().map(Action::index).toList());
  }
}
