package io.turnkeeper.streams;

import org.apache.kafka.common.TopicPartition;

/**
 * Compares a store with its journal before its task decides anything.
 *
 * @param journal the name of the journal's topic
 * @param shown a topic that is written only when there is history, the journal itself if there is
 *     no other
 */
record HistoryCheck(JournalEnds ends, String journal, String shown) implements JournalEnd {
  @Override
  public void requireReached(int partition, long storeSequence) {
    TopicPartition own = new TopicPartition(journal, partition);
    long newest = ends.newestEntry(own);
    if (newest != storeSequence) {
      throw new RebuildNeededException(
          "expected the store to be at entry "
              + newest
              + " of "
              + own
              + ", but it is at "
              + storeSequence);
    }
    if (newest == 0 && ends.isUsed(new TopicPartition(shown, partition))) {
      throw new RebuildNeededException(
          "expected " + own + " to hold what led to the states in " + shown + ", but it is empty");
    }
  }
}
