package io.turnkeeper.streams;

import java.util.SortedMap;

/**
 * One half of a rebuild: that of the tables or that of the pools.
 *
 * @param journal the name of the journal's topic
 * @param shown what readers were shown last, per partition and key; empty for pools
 */
record RebuildPart(
    String store, String journal, String journalSink, ShownStates shown, Rebuilding rebuilding) {

  /** Where the newest record of each key is read when a journal is cut. */
  interface ShownStates {
    /** The newest records of one partition by key; empty if nothing is shown. */
    SortedMap<String, Object> of(int partition);
  }
}
