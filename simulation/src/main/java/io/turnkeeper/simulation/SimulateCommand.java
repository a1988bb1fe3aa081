package io.turnkeeper.simulation;

import io.turnkeeper.simulation.plan.Indices;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import io.turnkeeper.simulation.world.Violation;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code simulate}: tries to break the rules. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Try to break the rules.",
      "Many seeded lives of a small fleet under virtual time, with crashes, pauses, zombies, lost"
          + " answers, late and repeated messages and clocks that are wrong. Every invariant is"
          + " checked after every step.",
      "A failing life is shrunk to the fewest actions that still fail; the exit code is 1 then."
    })
public final class SimulateCommand implements Callable<Integer> {
  /** The exit code of a program that an interrupt ended. */
  private static final int INTERRUPTED = 130;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "200",
      description = "how many lives (default: ${DEFAULT-VALUE})")
  private int seeds;

  @Option(
      names = "--steps",
      paramLabel = "M",
      defaultValue = "2000",
      description = "how many things the outside does in each life (default: ${DEFAULT-VALUE})")
  private int steps;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "the first seed (default: 1); with --only, the one seed")
  private @Nullable Long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "how many lives at a time (default: one for each processor)")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--scenario",
      paramLabel = "NAME",
      defaultValue = "EVERYTHING",
      description = {
        "the trouble the lives have (default: ${DEFAULT-VALUE}), one of",
        "${COMPLETION-CANDIDATES}"
      })
  private Scenario scenario;

  @Option(
      names = "--only",
      paramLabel = "LIST",
      description = "only these actions of one seed, as 3,17,40-45, and print all that happens")
  private @Nullable String only;

  @Override
  public Integer call() {
    if (seeds < 1 || steps < 1 || threads < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "expected at least one seed, step and thread, but there are %d, %d and %d"
              .formatted(seeds, steps, threads));
    }
    PrintWriter out = spec.commandLine().getOut();
    int code = only == null ? campaign(out) : replay(out, only);
    out.flush();
    return code;
  }

  private int campaign(PrintWriter out) {
    Campaign campaign = new Campaign(Rules.REAL, threads, progress());
    Thread interrupted = new Thread(() -> stop(campaign), "simulate-interrupted");
    Runtime.getRuntime().addShutdownHook(interrupted);
    CampaignReport report = new CampaignReport(out);
    long began = System.nanoTime();
    Campaign.Failure failure = campaign.run(scenario, seed == null ? 1 : seed, seeds, steps);
    Runtime.getRuntime().removeShutdownHook(interrupted);
    report.print(campaign, steps, Duration.ofNanos(System.nanoTime() - began));
    if (failure == null) {
      out.println("result    ok");
      return 0;
    }
    report.print(failure);
    return 1;
  }

  /** Nothing outlives a life, so there is nothing to wait for or to put away. */
  private void stop(Campaign campaign) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf("%nstopped after %,d of %,d lives, none of which failed%n", campaign.lives(), seeds);
    err.flush();
    Runtime.getRuntime().halt(INTERRUPTED);
  }

  private int replay(PrintWriter out, String list) {
    if (seed == null) {
      throw new ParameterException(spec.commandLine(), "expected --seed with --only");
    }
    Plan plan;
    try {
      plan = Plan.of(scenario, seed, steps).only(Indices.parse(list));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    Violation violation = Life.of(plan, Rules.REAL, new Narration(out)).violation();
    out.println("result    " + (violation == null ? "ok" : violation.getMessage()));
    return violation == null ? 0 : 1;
  }

  /** From JDK 22 on the bar is also drawn where there is no terminal, which does no harm. */
  @SuppressWarnings("SystemConsoleNull")
  private Progress progress() {
    return System.console() == null
        ? new ProgressLines(spec.commandLine().getErr())
        : new ProgressBar(spec.commandLine().getErr());
  }
}
