package io.turnkeeper.simulation.table;

import java.util.List;

/**
 * A piece of a table on storage.
 *
 * @param pieces the generations whose rows it holds
 * @param edits how often rows of it were changed since it was written
 * @param lost whether its file is gone
 */
public record Fragment(long id, List<Piece> pieces, int edits, boolean lost) {
  /** From this many generations on a fragment is not worth compacting. */
  private static final int LARGE = 64;

  public Fragment {
    pieces = List.copyOf(pieces);
  }

  static Fragment of(long id, List<Piece> pieces) {
    return new Fragment(id, pieces, 0, false);
  }

  Fragment edited() {
    return new Fragment(id, pieces, edits + 1, lost);
  }

  Fragment withoutFile() {
    return new Fragment(id, pieces, edits, true);
  }

  boolean isSmall() {
    return pieces.size() < LARGE;
  }
}
