package io.turnkeeper.events;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import java.util.List;

/**
 * One line of a journal with the decisions recorded for it: what is folded in one go.
 *
 * @param decisions in the order they were made
 */
public record JournalStep(int partition, JournalEntry entry, List<DecisionRecord> decisions) {
  public JournalStep {
    decisions = List.copyOf(decisions);
  }

  /** The same entry with the decisions about that table alone. */
  public JournalStep only(TableId table) {
    return new JournalStep(
        partition,
        entry,
        decisions.stream().filter(record -> isAbout(record.decision(), table)).toList());
  }

  private static boolean isAbout(Decision decision, TableId table) {
    return decision instanceof TableDecision own && own.table().equals(table);
  }

  /** Whether the entry or one of its decisions is about that table; time passing is about none. */
  public boolean isAbout(TableId table) {
    boolean told = entry.event() instanceof TableEvent event && event.table().equals(table);
    return told || decisions.stream().anyMatch(record -> isAbout(record.decision(), table));
  }
}
