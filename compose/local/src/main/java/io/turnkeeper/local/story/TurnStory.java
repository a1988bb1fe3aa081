package io.turnkeeper.local.story;

/** What happened to one turn; times in milliseconds since 1970, 0 for what did not happen. */
public final class TurnStory {
  final long turn;
  long unit;
  long readyAt;
  long grantedAt;
  long takenAt;
  long endedAt;
  String reason = "";
  String outcome = "";

  TurnStory(long turn) {
    this.turn = turn;
  }

  TurnStory copy() {
    TurnStory copy = new TurnStory(turn);
    copy.unit = unit;
    copy.readyAt = readyAt;
    copy.grantedAt = grantedAt;
    copy.takenAt = takenAt;
    copy.endedAt = endedAt;
    copy.reason = reason;
    copy.outcome = outcome;
    return copy;
  }

  public long turn() {
    return turn;
  }

  public long unit() {
    return unit;
  }

  public boolean wasGranted() {
    return grantedAt > 0;
  }

  /** Why it was granted. */
  public String reason() {
    return reason;
  }

  /** How it ended, empty while it is open. */
  public String outcome() {
    return outcome;
  }

  public boolean isOpen() {
    return outcome.isEmpty();
  }

  /** From taking it to the end. */
  public long heldMillis() {
    return UnitStory.between(takenAt, endedAt);
  }

  /** From being ready to the grant. */
  public long waitedMillis() {
    return UnitStory.between(readyAt, grantedAt);
  }
}
