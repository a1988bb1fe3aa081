package io.turnkeeper.local.story;

import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;

/** Told of what stands in the journal and decision topics of one partition, each in its order. */
public interface JournalListener {
  void entry(JournalEntry entry);

  void decision(DecisionRecord decision);
}
