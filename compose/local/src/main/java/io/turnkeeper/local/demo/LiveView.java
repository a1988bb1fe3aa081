package io.turnkeeper.local.demo;

import io.turnkeeper.local.story.Chronicle;
import io.turnkeeper.local.story.Telling;
import io.turnkeeper.local.story.UnitStory;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Shows what happens: redrawn in place on a terminal, else a plain line every two seconds. */
final class LiveView implements AutoCloseable {
  private static final int BAR_WIDTH = 30;
  private static final int LINE_WIDTH = 110;
  private static final int DECISIONS = 5;
  private static final long REDRAW_MILLIS = 250;
  private static final long PLAIN_MILLIS = 2_000;
  private static final String ESCAPE = "\u001b[";

  private final PrintWriter out;
  private final boolean terminal;
  private final Stage stage;
  private final Chronicle chronicle;
  private final Thread thread = new Thread(this::run, "live-view");
  private int drawn;
  private String lastDecision = "";

  LiveView(PrintWriter out, boolean terminal, Stage stage, Chronicle chronicle) {
    this.out = out;
    this.terminal = terminal;
    this.stage = stage;
    this.chronicle = chronicle;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(terminal ? REDRAW_MILLIS : PLAIN_MILLIS);
        show();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show() {
    Telling telling = chronicle.tell();
    if (terminal) {
      redraw(lines(telling));
    } else {
      plain(telling);
    }
    out.flush();
  }

  private void redraw(List<String> lines) {
    if (drawn > 0) {
      out.print(ESCAPE + drawn + "A");
    }
    out.print(ESCAPE + "J");
    lines.forEach(line -> out.println(shortened(line)));
    drawn = lines.size();
  }

  private void plain(Telling telling) {
    Stage.Current current = stage.current();
    List<String> decisions = telling.recentDecisions();
    String newest = decisions.isEmpty() ? "" : decisions.get(decisions.size() - 1);
    out.printf(
        "%-9s %3d%%  turn %s, %d pending generations, %s%s%n",
        current.name(),
        Math.round(100 * current.fraction()),
        turn(telling),
        telling.pendingGenerations(),
        table(telling),
        newest.equals(lastDecision) ? "" : "; " + newest);
    lastDecision = newest;
  }

  private List<String> lines(Telling telling) {
    Stage.Current current = stage.current();
    int filled = (int) Math.round(BAR_WIDTH * current.fraction());
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-9s [%s%s] %3d%%  %d s",
            current.name(),
            "#".repeat(filled),
            "-".repeat(BAR_WIDTH - filled),
            Math.round(100 * current.fraction()),
            current.seconds()));
    lines.add("turn      " + turn(telling));
    lines.add("pending   " + telling.pendingGenerations() + " generations");
    lines.add("table     " + table(telling));
    lines.add("at work   " + units(telling));
    lines.add("decisions");
    List<String> decisions = telling.recentDecisions();
    for (int i = 0; i < DECISIONS; i++) {
      int index = decisions.size() - DECISIONS + i;
      lines.add(index < 0 ? "" : "  " + decisions.get(index));
    }
    return lines;
  }

  private static String turn(Telling telling) {
    return telling
        .openTurn()
        .map(
            turn ->
                turn.turn()
                    + telling.units().stream()
                        .filter(unit -> unit.unit() == turn.unit())
                        .map(unit -> " " + unit.kind() + " unit " + unit.unit())
                        .collect(Collectors.joining()))
        .orElse("-");
  }

  private static String table(Telling telling) {
    var observed = telling.observed();
    return observed == null
        ? "not observed yet"
        : String.format(
            "%,d rows in %d fragments (%d small) at version %d",
            observed.rows(),
            observed.fragments(),
            observed.smallFragments(),
            telling.newestVersion());
  }

  private static String units(Telling telling) {
    List<UnitStory> live = telling.liveUnits();
    return live.isEmpty()
        ? "-"
        : live.stream()
            .map(unit -> unit.kind() + " unit " + unit.unit())
            .collect(Collectors.joining(", "));
  }

  private static String shortened(String line) {
    return line.length() <= LINE_WIDTH ? line : line.substring(0, LINE_WIDTH - 1) + "…";
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (terminal) {
      show();
    }
  }
}
