package io.turnkeeper.streams;

/** How far the journal of a partition is, which is the truth a store is measured by. */
interface JournalEnd {
  /**
   * Makes sure that a store has what its journal has.
   *
   * @throws RebuildNeededException if it has not
   */
  void requireReached(int partition, long storeSequence);
}
