package io.turnkeeper.streams;

/** Told how far a rebuild is. */
public interface RebuildListener {
  /** Hears it and says nothing. */
  RebuildListener SILENT =
      new RebuildListener() {
        @Override
        public void progressed(long entries, long of) {}

        @Override
        public void historyMissing(
            String journal, int partition, long fromSequence, long toSequence) {}
      };

  /** So many entries of so many are in the stores. */
  void progressed(long entries, long of);

  /**
   * Entries of a journal are gone: the states begin with what readers were shown last, and what
   * those entries alone told is not in them.
   *
   * @param fromSequence the first entry that is gone
   * @param toSequence the first one after it that is there
   */
  void historyMissing(String journal, int partition, long fromSequence, long toSequence);
}
