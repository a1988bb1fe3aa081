package io.turnkeeper.simulation.check;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.simulation.table.Fragment;
import io.turnkeeper.simulation.table.Piece;
import io.turnkeeper.simulation.table.SimLog;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A plain model that knows only what was sealed, left out or lost, and what lies in the table:
 * every generation up to the merged mark is there exactly once, and nothing else is.
 */
public final class Oracle {
  private final Set<Piece> destroyed = new HashSet<>();

  /** Files of the table are gone, and with them these rows. */
  public void lost(Fragment fragment) {
    destroyed.addAll(fragment.pieces());
  }

  /** The table is another one now. */
  public void forget(SimTable table) {
    destroyed.removeIf(piece -> table.logs().containsKey(piece.shard()));
  }

  /** Compares the table with what was put into its log. */
  public void check(SimTable table, Head head) {
    Set<Piece> present = new HashSet<>();
    for (Fragment fragment : table.fragments().values()) {
      for (Piece piece : fragment.pieces()) {
        Violation.unless(
            present.add(piece), "nothing is doubled", () -> piece + " twice in " + table.id());
      }
    }
    long expected = 0;
    for (Map.Entry<ShardId, SimLog> entry : table.logs().entrySet()) {
      SimLog log = entry.getValue();
      long merged = head.mergedThrough(entry.getKey());
      Violation.unless(
          merged <= log.sealed(),
          "nothing is merged that was not sealed",
          () -> entry.getKey() + " merged to " + merged + " of " + log.sealed());
      for (long one = 1; one <= merged; one++) {
        Piece piece = new Piece(entry.getKey(), one);
        boolean there = present.contains(piece);
        expected += there ? 1 : 0;
        Violation.unless(
            there || log.isSkipped(one) || destroyed.contains(piece),
            "nothing is lost",
            () -> piece + " of " + table.id() + " is below the mark " + merged + " and not there");
      }
    }
    Violation.unless(
        present.size() == expected,
        "nothing is merged beyond its mark",
        () -> table.id() + " has " + present + " with " + head.mergedThrough());
  }
}
