package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Kind;
import java.util.EnumMap;
import java.util.Map;

/** How long things waited, measured to publication, in turns, in time and in attempts. */
public final class Waits {
  private static final class Of {
    private final Spread published = new Spread();
    private long grants;
    private long worstTurns;
    private long boundTurns;
    private long attempts;
  }

  private final Map<Kind, Of> byKind = new EnumMap<>(Kind.class);
  private final Spread drained = new Spread();

  void published(Kind kind, long millis) {
    of(kind).published.add(millis);
  }

  /** A unit was granted its turn after so many turns of others, where so many are allowed. */
  void granted(Kind kind, long turnsBefore, long bound) {
    of(kind).grants++;
    worst(of(kind), turnsBefore, bound);
  }

  private static void worst(Of of, long turnsBefore, long bound) {
    if (turnsBefore > of.worstTurns || (turnsBefore == of.worstTurns && bound < of.boundTurns)) {
      of.worstTurns = turnsBefore;
      of.boundTurns = bound;
    }
  }

  /** A table's unit of that kind was published by that attempt since the last was. */
  void attempted(Kind kind, long attempts) {
    of(kind).attempts = Math.max(of(kind).attempts, attempts);
  }

  /** Everything pending was merged that long after the last disturbance. */
  public void drained(long millis) {
    drained.add(millis);
  }

  /** The most attempts it took to publish one. */
  public long attempts(Kind kind) {
    return of(kind).attempts;
  }

  /** How many of a kind were published. */
  public long published(Kind kind) {
    return of(kind).published.count();
  }

  public void add(Waits other) {
    other.byKind.forEach(
        (kind, theirs) -> {
          Of ours = of(kind);
          ours.published.add(theirs.published);
          ours.grants += theirs.grants;
          worst(ours, theirs.worstTurns, theirs.boundTurns);
          attempted(kind, theirs.attempts);
        });
    drained.add(other.drained);
  }

  /** How many turns of others a kind waited for, for people. */
  public String turnsLine(Kind kind) {
    Of of = of(kind);
    return String.format(
        "%-9s %,10d granted, at worst after %d (bound %d)",
        kind, of.grants, of.worstTurns, of.boundTurns);
  }

  /** How long a kind waited to be published, for people. */
  public String waitLine(Kind kind) {
    return String.format("%-9s %s", kind, line(of(kind).published, "published"));
  }

  /** How long it took until nothing was pending, for people. */
  public String drainLine() {
    return line(drained, "lives");
  }

  private static String line(Spread spread, String what) {
    if (spread.count() == 0) {
      return String.format("%,10d %s", 0, what);
    }
    return String.format(
        "%,10d %s, half of them within %.1f s, at worst %.1f s",
        spread.count(), what, spread.medianSeconds(), spread.worstSeconds());
  }

  private Of of(Kind kind) {
    return byKind.computeIfAbsent(kind, key -> new Of());
  }
}
