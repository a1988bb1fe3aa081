package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The outcome of a backtest as people read it: a line each for what happened and what would have.
 */
public final class BacktestText {
  private static final String ROW = "%-10s %-10s %7s %9s %9s %9s %10s %13s %9s %10s";

  private final Backtest backtest;

  public BacktestText(Backtest backtest) {
    this.backtest = backtest;
  }

  /** All of it. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s to %s: %,d entries, %d executors; the policy of %s replaced",
            Instant.ofEpochMilli(backtest.span().fromMillis()),
            Instant.ofEpochMilli(backtest.span().untilMillis()),
            backtest.entries(),
            backtest.executors().size(),
            backtest.options().replaced()));
    lines.add("");
    lines.add(
        String.format(
            ROW,
            "kind",
            "",
            "turns",
            "wait p50",
            "wait p99",
            "wait max",
            "ready max",
            "unserved max",
            "unserved",
            "promotions"));
    for (Kind kind : Kind.values()) {
      lines.add(row(kind.name(), "happened", backtest.happened().of(kind)));
      lines.add(row("", "simulated", backtest.simulated().of(kind)));
    }
    lines.add("");
    lines.add("pending generations at " + Figures.POINTS + " times");
    lines.add("  happened:  " + series(backtest.happened().pending()));
    lines.add("  simulated: " + series(backtest.simulated().pending()));
    lines.add("");
    backtest
        .durations()
        .forEach(
            (use, attempts) ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%s %s of size %d and more: %d attempts, %s, %d samples",
                        use.work().kind(),
                        use.work().mode(),
                        1L << use.sizeLog2(),
                        attempts,
                        use.basis(),
                        use.samples())));
    new BacktestReport(backtest).notes().forEach(note -> lines.add("note: " + note));
    return lines;
  }

  private static String row(String kind, String world, KindFigures figures) {
    boolean some = figures.turns() > 0;
    return String.format(
        Locale.ROOT,
        ROW,
        kind,
        world,
        figures.turns(),
        some ? seconds(figures.waitMillis(0.5)) : "-",
        some ? seconds(figures.waitMillis(0.99)) : "-",
        some ? seconds(figures.waitMillis(1)) : "-",
        seconds(figures.longestReadyMillis()),
        seconds(figures.longestUnservedMillis()),
        figures.unserved(),
        figures.promotions());
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
  }

  private static String series(long[] values) {
    return Arrays.stream(values).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }
}
