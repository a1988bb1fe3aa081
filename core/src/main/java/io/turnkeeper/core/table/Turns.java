package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Who may commit, who could, and who was served lately.
 *
 * @param highest the highest turn number given out or seen; the next one is higher
 * @param open the turn that is given out and not closed
 * @param unresolved a turn that was given up without knowing whether it committed
 * @param lastKind the kind that was served last
 * @param consecutive how many turns in a row that kind has had
 */
public record Turns(
    long highest,
    @Nullable Turn open,
    @Nullable Turn unresolved,
    @Nullable Kind lastKind,
    long consecutive) {
  /** No turn was ever given. */
  public static final Turns NONE = new Turns(0, null, null, null, 0);

  /** One write turn. */
  public record Turn(long number, Kind kind, long unit, long grantedAtMillis) {}

  /** The kind is counted when the turn is granted, whatever comes of it. */
  Turns granted(Turn turn) {
    long row = turn.kind() == lastKind ? consecutive + 1 : 1;
    // Finding out about a lost turn, or a repair, is nobody's share: it neither counts nor
    // interrupts a row.
    boolean counts = unresolved == null && turn.kind() != Kind.REPAIR;
    return new Turns(
        Math.max(highest, turn.number()),
        turn,
        unresolved,
        counts ? turn.kind() : lastKind,
        counts ? row : consecutive);
  }

  Turns closed() {
    return new Turns(highest, null, unresolved, lastKind, consecutive);
  }

  /** The open turn's outcome must be found out. */
  Turns expired() {
    if (unresolved != null) {
      throw new IllegalStateException(
          "expected no turn besides a look while " + unresolved + " is found out, but " + open);
    }
    return new Turns(highest, null, open, lastKind, consecutive);
  }

  Turns resolved() {
    return new Turns(highest, open, null, lastKind, consecutive);
  }

  Turns raisedTo(long number) {
    return new Turns(Math.max(highest, number), open, unresolved, lastKind, consecutive);
  }

  boolean isOpenFor(long unit) {
    return open != null && open.unit() == unit;
  }
}
