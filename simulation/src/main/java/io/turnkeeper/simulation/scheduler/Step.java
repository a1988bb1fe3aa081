package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.partition.JournalEntry;
import java.util.List;

/**
 * One journal entry with the decisions that were recorded for it.
 *
 * @param looked the subjects that were looked at, in order, each with what was decided about it
 */
public record Step<K, D extends Decision>(JournalEntry entry, List<Look<K, D>> looked) {
  public Step {
    looked = List.copyOf(looked);
  }

  /** What was decided about one subject. */
  public record Look<K, D extends Decision>(K key, List<Decided<D>> decided) {
    public Look {
      decided = List.copyOf(decided);
    }
  }
}
