package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.JournalStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One partition of the scheduler without Kafka: it folds and decides as the topology does, and
 * answers with what the topology would have written.
 *
 * @param <S> the state of one subject
 */
public final class MemoryPartition<S> {
  /**
   * What came of an event.
   *
   * @param steps the entries it led to, with their decisions
   * @param told what other parts of the scheduler hear of them
   */
  public record Taken(List<JournalStep> steps, List<Event> told) {}

  private final int number;
  private final Subject<S> subject;
  private final MemoryStates<S> states = new MemoryStates<>();
  private final PartitionFold<S> fold;

  private MemoryPartition(int number, Subject<S> subject) {
    this.number = number;
    this.subject = subject;
    this.fold = new PartitionFold<>(subject, states);
  }

  /** An empty partition of tables. */
  public static MemoryPartition<TableState> ofTables(int number) {
    return new MemoryPartition<>(number, new TableSubject());
  }

  /** An empty partition of pools. */
  public static MemoryPartition<PoolState> ofPools(int number) {
    return new MemoryPartition<>(number, new PoolSubject());
  }

  public int number() {
    return number;
  }

  public PartitionState state() {
    return fold.partition();
  }

  /** A subject's state, null if nothing was said about it. */
  public @Nullable S get(String key) {
    return states.get(key);
  }

  public Set<String> keys() {
    return states.keys();
  }

  /** From when on a tick has something to do, {@link Long#MAX_VALUE} for never. */
  public long nextDueMillis() {
    return fold.nextDueMillis();
  }

  /**
   * Folds what was recorded.
   *
   * @throws IllegalStateException if it is not the next entry
   */
  public void refold(JournalStep step) {
    states.forgetBefore();
    fold.refold(step, PartitionFold.Known.NOTHING);
  }

  /** Folds an event and decides on what follows. */
  public Taken take(long atMillis, Event event) {
    states.forgetBefore();
    Taken taken = new Taken(new ArrayList<>(), new ArrayList<>());
    take(atMillis, event, taken);
    return taken;
  }

  private void take(long atMillis, Event event, Taken into) {
    JournalEntry entry = fold.next(atMillis, null, event);
    PartitionFold.Taken<S> taken = fold.take(entry);
    List<DecisionRecord> records = new ArrayList<>();
    for (Conclusion<S> conclusion : taken.conclusions()) {
      for (Decided<? extends Decision> one : conclusion.decisions()) {
        records.add(
            new DecisionRecord(
                number,
                entry.sequence(),
                records.size(),
                TableRules.VERSION,
                one.decision(),
                one.reason()));
        for (Outgoing outgoing : subject.outgoing(one.decision())) {
          if (outgoing.value() instanceof Event told) {
            into.told().add(told);
          }
        }
      }
    }
    into.steps().add(new JournalStep(number, entry, records));
    taken.overdue().forEach(other -> take(atMillis, other, into));
  }
}
