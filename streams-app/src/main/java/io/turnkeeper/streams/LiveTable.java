package io.turnkeeper.streams;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.Explanation;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.WhyNot;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * One table as it was committed after an entry of its partition's journal.
 *
 * @param number the partition's number
 * @param partition the partition's own state after that entry
 */
public record LiveTable(int number, PartitionState partition, TableSnapshot snapshot) {
  static LiveTable of(int number, PartitionState partition, TableState state, byte[] encoded) {
    Object snapshot = new TableSubject().snapshot(state, encoded, partition);
    return new LiveTable(number, partition, (TableSnapshot) Objects.requireNonNull(snapshot));
  }

  public TableState state() {
    return snapshot.state();
  }

  /**
   * Whether the rules have nothing left to say of it. Between an entry, or the time a timer is due,
   * and the next look at the table they have, for as long as a tenth of a second.
   */
  public boolean isAtRest() {
    return state().defaultsVersion() >= partition.defaultsVersion()
        && TableRules.decide(state(), context(), partition.now()).isEmpty();
  }

  /** For each kind the one reason why it is not running now. It must be at rest. */
  public Map<Kind, WhyNot> whyNot() {
    Map<Kind, WhyNot> reasons = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      reasons.put(kind, Explanation.of(kind, state(), context(), partition.now()));
    }
    return reasons;
  }

  private Context context() {
    return Context.of(partition);
  }
}
