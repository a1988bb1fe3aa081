package io.turnkeeper.worker.trial;

import java.util.HashSet;
import java.util.List;

/**
 * What a table holds in the end.
 *
 * @param head the newest version by the authority
 * @param visible the newest version that plain readers find
 * @param rows every row that can be read, in no order
 * @param lostFragments fragments whose files are gone
 * @param turns the turn that made each version, from the second on; 0 if the version does not say
 */
record Truth(long head, long visible, List<Long> rows, int lostFragments, List<Long> turns) {

  long doubled() {
    return (long) rows.size() - new HashSet<>(rows).size();
  }

  /** The newest version that {@code turn} made, 0 if there is none. */
  long newestOf(long turn) {
    int index = turns.lastIndexOf(turn);
    return index < 0 ? 0 : index + 2;
  }

  /** How many of the rows from {@code first} on are there. */
  long present(int first, int count) {
    return new HashSet<>(rows).stream().filter(n -> n >= first && n < first + count).count();
  }
}
