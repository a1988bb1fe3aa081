package io.turnkeeper.streams;

import java.io.PrintWriter;

/** Tells people how far a rebuild is, a line for each tenth of it. */
public final class ConsoleProgress implements RebuildListener {
  private static final int STEPS = 10;

  private final PrintWriter out;
  private long lastStep = -1;

  public ConsoleProgress(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void progressed(long entries, long of) {
    int step = of == 0 ? STEPS : (int) (entries * STEPS / of);
    if (step > lastStep) {
      lastStep = step;
      out.printf(
          "rebuilding the stores from the journal [%s%s] %,d of %,d entries%n",
          "#".repeat(step), " ".repeat(STEPS - step), entries, of);
      out.flush();
    }
  }

  @Override
  public void historyMissing(String journal, int partition, long fromSequence, long toSequence) {
    out.printf(
        "HISTORY IS MISSING: entries %,d to %,d of %s partition %d are gone. The states begin with"
            + " what table-state showed last; what only those entries told is not in them, and the"
            + " journal marks the gap.%n",
        fromSequence, toSequence - 1, journal, partition);
    out.flush();
  }
}
