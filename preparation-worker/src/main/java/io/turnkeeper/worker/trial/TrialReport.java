package io.turnkeeper.worker.trial;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What came of all trials: how many of each kind there were, and what they found. */
public final class TrialReport {
  private final long seed;
  private final Map<String, Integer> trials = new TreeMap<>();
  private final Map<Violation, Integer> counts = new EnumMap<>(Violation.class);
  private final List<String> findings = new ArrayList<>();

  TrialReport(long seed) {
    this.seed = seed;
    for (Violation violation : Violation.values()) {
      counts.put(violation, 0);
    }
  }

  void add(Trial trial, List<Finding> found) {
    trials.merge(trial.group(), 1, Integer::sum);
    for (Finding finding : found) {
      counts.merge(finding.violation(), 1, Integer::sum);
      findings.add(finding.violation() + " (" + trial.name() + "): " + finding.what());
    }
  }

  public boolean isClean() {
    return findings.isEmpty();
  }

  /** Every violation, with the trial that shows it. */
  public List<String> findings() {
    return List.copyOf(findings);
  }

  /** The counts, one a line. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    int all = trials.values().stream().mapToInt(Integer::intValue).sum();
    lines.add(all + " trials (seed " + seed + "):");
    trials.forEach((group, count) -> lines.add(line(count, group)));
    lines.add("found:");
    counts.forEach((violation, count) -> lines.add(line(count, violation.plural())));
    return lines;
  }

  private static String line(int count, String what) {
    return String.format("%6d  %s", count, what);
  }
}
