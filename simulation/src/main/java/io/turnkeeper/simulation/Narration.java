package io.turnkeeper.simulation;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.simulation.world.VirtualClock;
import java.io.PrintWriter;
import java.util.function.Consumer;

/** Tells a life as it goes: what the outside did, what was recorded, what was decided and why. */
final class Narration implements Consumer<Object> {
  private final PrintWriter out;

  Narration(PrintWriter out) {
    this.out = out;
  }

  /**
   * Tells one thing.
   *
   * @throws IllegalStateException if nobody wants to hear it any more
   */
  @Override
  public void accept(Object what) {
    if (Thread.currentThread().isInterrupted() || out.checkError()) {
      throw new IllegalStateException("expected somebody to hear of " + what);
    }
    if (what instanceof Fleet.Recorded recorded) {
      JournalEntry entry = recorded.entry();
      out.printf(
          "%10.3f  %s %d  %s%n",
          (entry.atMillis() - VirtualClock.START_MILLIS) / 1_000.0,
          recorded.journal(),
          entry.sequence(),
          said(entry.event()));
    } else if (what instanceof Decided<?> decided) {
      out.printf("            -> %s: %s%n", said(decided.decision()), decided.reason());
    } else if (what instanceof Head head) {
      out.printf("            == %s%n", head);
    } else {
      out.printf("%n** %s%n", what);
    }
  }

  /** Without the fields that are null: a policy sets few of its many. */
  private static String said(Object record) {
    return record.toString().replaceAll("(, )?\\b\\w+=null(?=[,\\]])", "").replace("[, ", "[");
  }
}
