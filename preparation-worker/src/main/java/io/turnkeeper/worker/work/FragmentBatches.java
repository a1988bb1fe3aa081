package io.turnkeeper.worker.work;

import java.util.ArrayList;
import java.util.List;
import org.lance.FragmentMetadata;

/**
 * Which fragments one call reads. Each call costs milliseconds and leaves a part to be joined, so
 * that a table of thousands of small fragments would take minutes by single ones; and what one call
 * reads is bounded, for its end is the progress that is told.
 */
final class FragmentBatches {
  static final int MOST_FRAGMENTS = 64;
  static final long ENOUGH_ROWS = 65_536;

  private FragmentBatches() {}

  /** {@code sources} in their order; a batch ends with the fragment that makes it large enough. */
  static List<List<FragmentMetadata>> of(List<FragmentMetadata> sources) {
    List<List<FragmentMetadata>> batches = new ArrayList<>();
    List<FragmentMetadata> batch = new ArrayList<>();
    long rows = 0;
    for (FragmentMetadata source : sources) {
      batch.add(source);
      rows += source.getPhysicalRows();
      if (batch.size() == MOST_FRAGMENTS || rows >= ENOUGH_ROWS) {
        batches.add(List.copyOf(batch));
        batch.clear();
        rows = 0;
      }
    }
    if (!batch.isEmpty()) {
      batches.add(List.copyOf(batch));
    }
    return batches;
  }
}
