package io.turnkeeper.simulation;

import io.turnkeeper.simulation.plan.Indices;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import io.turnkeeper.simulation.world.Violation;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code simulate}: tries to break the rules. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    modelTransformer = SimulateCommand.ListOfScenarios.class,
    description = {
      "Try to break the rules.",
      "Many seeded lives of a small fleet under virtual time, with crashes, pauses, zombies, lost"
          + " answers, late and repeated messages and clocks that are wrong. Every invariant is"
          + " checked after every step.",
      "A failing life is shrunk to the fewest actions that still fail; the exit code is 1 then."
    })
public final class SimulateCommand implements Callable<Integer> {
  /** The whole plan of a life is in memory, some 100 bytes a step. */
  private static final int MOST_STEPS = 1_000_000;

  private static final int MOST_THREADS = 1_024;
  private static final int SHOWN_LENGTH = 40;

  /** Ends the help with what each scenario is about. */
  static final class ListOfScenarios implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      UsageMessageSpec usage = command.usageMessage();
      usage.footerHeading("%nScenarios:%n");
      // A table, since a footer that is wrapped loses its indentation.
      usage
          .sectionMap()
          .put(
              UsageMessageSpec.SECTION_KEY_FOOTER,
              help -> help.createTextTable(abouts()).toString());
      return command;
    }

    private static Map<String, String> abouts() {
      Map<String, String> abouts = new LinkedHashMap<>();
      for (Scenario scenario : Scenario.values()) {
        abouts.put(scenario.name(), scenario.about());
      }
      return abouts;
    }
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "200",
      description = "how many lives, of seeds that follow each other (default: ${DEFAULT-VALUE})")
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
      description = "the trouble the lives have, as listed below (default: ${DEFAULT-VALUE})")
  private Scenario scenario;

  @Option(
      names = "--only",
      paramLabel = "LIST",
      description = "only these actions of one seed, as 3,17,40-45, and print all that happens")
  private @Nullable String only;

  @Override
  public Integer call() {
    require("--seeds", seeds, Integer.MAX_VALUE);
    require("--steps", steps, MOST_STEPS);
    require("--threads", threads, MOST_THREADS);
    PrintWriter out = spec.commandLine().getOut();
    int code = only == null ? campaign(out) : replay(out, only);
    out.flush();
    return code;
  }

  private void require(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw refused(option, "a number from 1 to " + most, value);
    }
  }

  private ParameterException refused(String option, String expected, Object value) {
    return new ParameterException(
        spec.commandLine(),
        "expected %s for option '%s', but it is %s".formatted(expected, option, value));
  }

  private int campaign(PrintWriter out) {
    long first = seed == null ? 1 : seed;
    if (first > Long.MAX_VALUE - (seeds - 1)) {
      throw refused(
          "--seed", "a number that --seeds %d can be counted from".formatted(seeds), first);
    }
    Campaign campaign = new Campaign(Rules.REAL, threads, progress());
    // Nothing outlives a life, so there is nothing to wait for; the signal makes the exit code.
    Thread stopped =
        new Thread(
            () -> new CampaignReport(spec.commandLine().getErr()).printStopped(campaign, seeds),
            "simulate-stopped");
    Runtime.getRuntime().addShutdownHook(stopped);
    CampaignReport report = new CampaignReport(out);
    long began = System.nanoTime();
    Campaign.Failure failure = campaign.run(scenario, first, seeds, steps);
    Runtime.getRuntime().removeShutdownHook(stopped);
    took(campaign, Duration.ofNanos(System.nanoTime() - began));
    report.print(campaign, steps);
    if (failure == null) {
      out.println("result    ok");
      return 0;
    }
    report.print(failure);
    return 1;
  }

  /** Beside the report, which is the same bytes whenever the same lives are lived. */
  private void took(Campaign campaign, Duration time) {
    double seconds = time.toNanos() / 1e9;
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "took      %.1f s, %,.0f steps a second%n",
        seconds, (double) campaign.lives() * steps / seconds);
    err.flush();
  }

  private int replay(PrintWriter out, String list) {
    if (seed == null) {
      throw new ParameterException(
          spec.commandLine(), "expected '--seed' beside '--only', which is about one life");
    }
    for (String option : List.of("--seeds", "--threads")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(),
            "expected no '%s' beside '--only', which is about one life".formatted(option));
      }
    }
    SortedSet<Integer> chosen;
    try {
      chosen = Indices.parse(list, steps);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "invalid value '%s' for option '--only': %s".formatted(shortened(list), e.getMessage()),
          e);
    }
    Plan plan = Plan.of(scenario, seed, steps).only(chosen);
    Violation violation = Life.of(plan, Rules.REAL, new Narration(out)).violation();
    out.println("result    " + (violation == null ? "ok" : violation.getMessage()));
    return violation == null ? 0 : 1;
  }

  /** A list may be of thousands, and the reason follows it. */
  private static String shortened(String list) {
    return list.length() <= SHOWN_LENGTH ? list : list.substring(0, SHOWN_LENGTH) + "...";
  }

  /** From JDK 22 on the bar is also drawn where there is no terminal, which does no harm. */
  @SuppressWarnings("SystemConsoleNull")
  private Progress progress() {
    return System.console() == null
        ? new ProgressLines(spec.commandLine().getErr())
        : new ProgressBar(spec.commandLine().getErr());
  }
}
