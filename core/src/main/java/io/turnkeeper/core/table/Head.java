package io.turnkeeper.core.table;

import io.turnkeeper.core.table.PublishEvent.HeadObserved;

/**
 * The newest head that anybody saw in the authority.
 *
 * @param version the newest committed version, 0 if none was seen
 * @param turn the turn it was committed under
 * @param unit the sequence of the unit whose last commit it was, 0 if none
 * @param highestTurn the highest turn ever taken
 */
public record Head(long version, long turn, long unit, long highestTurn) {
  /** Nothing seen yet. */
  public static final Head UNSEEN = new Head(0, 0, 0, 0);

  Head raisedTo(HeadObserved seen) {
    long highest = Math.max(highestTurn, seen.highestTurn());
    if (seen.version() < version) {
      return new Head(version, turn, unit, highest);
    }
    return new Head(seen.version(), seen.turn(), seen.unit(), highest);
  }
}
