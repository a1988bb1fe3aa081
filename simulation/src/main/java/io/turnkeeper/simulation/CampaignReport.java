package io.turnkeeper.simulation;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;

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

  /** Prints nothing that differs when the same lives are lived again. */
  void print(Campaign campaign, int steps) {
    SortedMap<String, Long> counts = campaign.tally().counts();
    out.printf("lives     %,d of %,d steps%n", campaign.lives(), steps);
    section("events", counts, "event ");
    section("faults drawn", counts, "fault: ");
    section("what faults came to", counts, "effect: ");
    section("decisions", counts, "decision ");
    turns(counts);
    section("units ended", counts, "unit ended: ");
    section("checks", counts, "checked: ");
    waits(campaign.waits());
  }

  private void waits(Waits waits) {
    out.println("turns of others between ready and granted (those of recoveries count for nobody)");
    for (Kind kind : Kind.values()) {
      out.println("  " + waits.turnsLine(kind));
    }
    out.println("from request to publication (retirements publish nothing)");
    for (Kind kind : Kind.values()) {
      out.println("  " + waits.waitLine(kind));
    }
    out.println("attempts until published, where merges go on meanwhile (at most 3)");
    out.printf("  COMPACT %d, INDEX %d%n", waits.attempts(COMPACT), waits.attempts(INDEX));
    out.println("all pending generations merged after the last fault");
    out.println("  " + waits.drainLine());
  }

  /** A turn that ends was granted before; only a life that fails leaves one open. */
  private void turns(SortedMap<String, Long> counts) {
    long granted = counts.getOrDefault("turn granted", 0L);
    out.printf("%-9s %,d%n", "turns granted", granted);
    lines(counts, "turn ended: ");
    long open = granted - total(counts, "turn ended: ");
    if (open > 0) {
      line(open, "still open");
    }
  }

  private void section(String title, SortedMap<String, Long> counts, String prefix) {
    out.printf("%-9s %,d%n", title, total(counts, prefix));
    lines(counts, prefix);
  }

  private static long total(SortedMap<String, Long> counts, String prefix) {
    return counts.entrySet().stream()
        .filter(one -> one.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private void lines(SortedMap<String, Long> counts, String prefix) {
    counts.forEach(
        (what, count) -> {
          if (what.startsWith(prefix)) {
            line(count, what.substring(prefix.length()));
          }
        });
  }

  private void line(long count, String what) {
    out.printf("  %,12d  %s%n", count, what);
  }

  /** Of a campaign that is told to stop: what is known so far. */
  void printStopped(Campaign campaign, int seeds) {
    Campaign.Failure failure = campaign.found();
    out.printf(
        "%nstopped after %,d of %,d lives, %s%n",
        campaign.lives(), seeds, failure == null ? "none of which failed" : "the last of which");
    if (failure != null) {
      out.printf(
          "FAILED    seed %d: %s%n", failure.shrunk().seed(), failure.violation().getMessage());
    }
    out.flush();
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
