package io.turnkeeper.core.partition;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Require;

/**
 * One decision as it is recorded.
 *
 * @param partition the partition of the journal entry that caused it
 * @param sequence that entry's sequence
 * @param index counts the decisions of that entry from 0
 * @param rulesVersion the version of the rules that decided
 * @param reason why, for people
 */
public record DecisionRecord(
    int partition, long sequence, int index, int rulesVersion, Decision decision, String reason) {
  public DecisionRecord {
    Require.count("partition", partition);
    Require.positive("sequence", sequence);
    Require.count("index", index);
    Require.positive("rulesVersion", rulesVersion);
    Require.text("reason", reason);
  }
}
