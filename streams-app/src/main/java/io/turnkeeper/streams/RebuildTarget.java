package io.turnkeeper.streams;

/**
 * What a partition's journal holds while nobody writes it.
 *
 * @param oldest the sequence of the oldest entry, 0 if there is none
 * @param newest the sequence of the newest entry, 0 if there is none
 * @param lastDecision the offset of the newest decision, -1 if there is none
 */
record RebuildTarget(long oldest, long newest, long lastDecision) {
  /** Whether entries that were there are not any more. */
  boolean isCut(boolean hasHistory) {
    return newest == 0 ? hasHistory : oldest > 1;
  }
}
