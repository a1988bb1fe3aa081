package io.turnkeeper.local.story;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Mode;
import org.jspecify.annotations.Nullable;

/** What happened to one unit; times in milliseconds since 1970, 0 for what did not happen. */
public final class UnitStory {
  final long unit;
  @Nullable Kind kind;
  @Nullable Mode mode;
  String reason = "";
  String outcome = "";
  int attempts;
  long openedAt;
  long claimedAt;
  long readyAt;
  long endedAt;
  long turn;
  long rows;

  UnitStory(long unit) {
    this.unit = unit;
  }

  UnitStory copy() {
    UnitStory copy = new UnitStory(unit);
    copy.kind = kind;
    copy.mode = mode;
    copy.reason = reason;
    copy.outcome = outcome;
    copy.attempts = attempts;
    copy.openedAt = openedAt;
    copy.claimedAt = claimedAt;
    copy.readyAt = readyAt;
    copy.endedAt = endedAt;
    copy.turn = turn;
    copy.rows = rows;
    return copy;
  }

  public long unit() {
    return unit;
  }

  /** Null until the decision that opened it was read. */
  public @Nullable Kind kind() {
    return kind;
  }

  /** Null until the decision that opened it was read. */
  public @Nullable Mode mode() {
    return mode;
  }

  /** Why it was opened. */
  public String reason() {
    return reason;
  }

  /** How it ended, empty while it lives. */
  public String outcome() {
    return outcome;
  }

  public int attempts() {
    return attempts;
  }

  public long rows() {
    return rows;
  }

  /** The turn it was last granted, 0 if none. */
  public long turn() {
    return turn;
  }

  public boolean isLive() {
    return outcome.isEmpty();
  }

  /** Whether it was being prepared outside the turn at that moment. */
  boolean wasPreparingAt(long millis) {
    return mode == Mode.OUTSIDE
        && claimedAt > 0
        && claimedAt <= millis
        && readyAt > 0
        && millis <= readyAt;
  }

  public long prepareMillis() {
    return between(claimedAt, readyAt);
  }

  public long totalMillis() {
    return between(openedAt, endedAt);
  }

  static long between(long from, long to) {
    return from == 0 || to == 0 ? 0 : Math.max(0, to - from);
  }
}
