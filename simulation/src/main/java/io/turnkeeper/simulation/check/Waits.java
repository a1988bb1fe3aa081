package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Kind;
import java.util.EnumMap;
import java.util.Map;

/** The worst and the usual waits, measured to publication. */
public final class Waits {
  private static final class Of {
    private long units;
    private long totalMillis;
    private long worstMillis;
    private long worstTurns;
    private long boundTurns;
  }

  private final Map<Kind, Of> byKind = new EnumMap<>(Kind.class);
  private long drainMillis;
  private long staleInARow;

  void published(Kind kind, long millis) {
    Of of = of(kind);
    of.units++;
    of.totalMillis += millis;
    of.worstMillis = Math.max(of.worstMillis, millis);
  }

  void granted(Kind kind, long turnsBefore, long bound) {
    Of of = of(kind);
    if (turnsBefore >= of.worstTurns) {
      of.worstTurns = turnsBefore;
      of.boundTurns = bound;
    }
  }

  void stale(long inARow) {
    staleInARow = Math.max(staleInARow, inARow);
  }

  /** Everything pending was merged that long after the last disturbance. */
  public void drained(long millis) {
    drainMillis = Math.max(drainMillis, millis);
  }

  /** The longest wait of a kind from its request to its publication. */
  public long worstMillis(Kind kind) {
    return of(kind).worstMillis;
  }

  /** The most preparations in a row that were stale when they were to be published. */
  public long staleInARow() {
    return staleInARow;
  }

  public long drainMillis() {
    return drainMillis;
  }

  public void add(Waits other) {
    other.byKind.forEach(
        (kind, theirs) -> {
          Of ours = of(kind);
          ours.units += theirs.units;
          ours.totalMillis += theirs.totalMillis;
          ours.worstMillis = Math.max(ours.worstMillis, theirs.worstMillis);
          granted(kind, theirs.worstTurns, theirs.boundTurns);
        });
    drained(other.drainMillis);
    stale(other.staleInARow);
  }

  /** One line of a kind, for people. */
  public String line(Kind kind) {
    Of of = of(kind);
    return String.format(
        "%-9s %8d published, waited %7.1f s on average, %7.1f s at worst; %d turns before its own"
            + " at worst (bound %d)",
        kind,
        of.units,
        of.units == 0 ? 0 : of.totalMillis / 1_000.0 / of.units,
        of.worstMillis / 1_000.0,
        of.worstTurns,
        of.boundTurns);
  }

  private Of of(Kind kind) {
    return byKind.computeIfAbsent(kind, key -> new Of());
  }
}
