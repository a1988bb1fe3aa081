package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.DueTimes;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.events.JournalStep;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition's way through its journal: each entry is folded and decided on, or, when it is
 * history, folded with the decisions that were recorded for it. Live, rebuilt and verified states
 * are the same because all three come from here.
 *
 * @param <S> the state of one subject
 */
final class PartitionFold<S> {
  private static final Logger LOGGER = LoggerFactory.getLogger(PartitionFold.class);

  /** How many due subjects one tick serves; the rest waits for the next. */
  private static final int MAX_DUE_PER_TICK = 200;

  /** Which subjects are already known as they were after an entry. */
  interface Known {
    /** From the beginning on nothing is. */
    Known NOTHING = (key, sequence) -> false;

    boolean at(String key, long sequence);
  }

  /**
   * What came of an entry.
   *
   * @param overdue what must be recorded next, before its subjects are decided on
   */
  record Taken<S>(List<Conclusion<S>> conclusions, List<Event> overdue) {}

  private final Subject<S> subject;
  private final States<S> states;
  private final DueTimes due = new DueTimes();
  private PartitionState partition;

  PartitionFold(Subject<S> subject, States<S> states) {
    this.subject = subject;
    this.states = states;
    this.partition = states.partition();
    // What was due while nobody looked is due now; deciding again on what is not due says nothing.
    states.keys().forEach(key -> due.set(key, partition.atMillis()));
  }

  PartitionState partition() {
    return partition;
  }

  boolean isDue(long atMillis) {
    return due.isDue(atMillis);
  }

  /** From when on a tick has something to do, {@link Long#MAX_VALUE} for never. */
  long nextDueMillis() {
    return due.nextMillis();
  }

  /** The next entry of this partition. */
  JournalEntry next(long atMillis, @Nullable Source source, Event event) {
    return new JournalEntry(
        partition.sequence() + 1, Math.max(partition.atMillis(), atMillis), source, event);
  }

  /** The subject an entry is about, null if it is about the partition. */
  @Nullable String keyOf(JournalEntry entry) {
    return subject.concerns(entry.event()) ? subject.keyOf(entry.event()) : null;
  }

  /**
   * Folds an entry and decides on what follows; all of it is kept.
   *
   * @throws IllegalArgumentException if the rules cannot take it; nothing has changed then
   * @throws IllegalStateException likewise
   * @throws ArithmeticException likewise
   */
  Taken<S> take(JournalEntry entry) {
    PartitionState after = partition.after(entry);
    Taken<S> taken = new Taken<>(new ArrayList<>(), new ArrayList<>());
    String key = keyOf(entry);
    if (key != null) {
      taken.conclusions().add(conclude(key, entry.event(), after));
    }
    pass(after);
    if (key != null) {
      return taken;
    }
    if (entry.event() instanceof PartitionEvent.Tick) {
      due.takeDue(entry.atMillis(), MAX_DUE_PER_TICK).forEach(other -> lookAgain(other, taken));
    } else if (entry.event() instanceof PartitionEvent.SettingsApplied) {
      // A task started. Who is due must not depend on what the one before it remembered, since
      // whoever decides again from the journal sees no difference between the two.
      due.startOver(entry.atMillis());
    } else {
      due.sweep(); // Defaults changed or input is missing: everybody is looked at, in steps.
    }
    return taken;
  }

  /**
   * Folds an entry and the decisions recorded for it; nothing is decided.
   *
   * @param isKnown whether a subject's state is already after that entry
   * @throws IllegalStateException if it is not the next entry
   */
  void refold(JournalStep step, Known isKnown) {
    JournalEntry entry = step.entry();
    PartitionState after = partition.after(entry);
    Now now = after.now();
    String key = keyOf(entry);
    if (key != null && !isKnown.at(key, entry.sequence())) {
      states.put(key, subject.fold(entry.event(), stateOf(key), now));
      due.set(key, entry.atMillis());
    }
    for (DecisionRecord record : step.decisions()) {
      String of = subject.keyOf(record.decision());
      if (!isKnown.at(of, entry.sequence())) {
        states.put(of, subject.apply(record.decision(), stateOf(of), now));
        due.set(of, entry.atMillis());
      }
    }
    pass(after);
  }

  private void pass(PartitionState after) {
    partition = after;
    states.putPartition(after);
  }

  /** One subject that the rules fail on must not stop the others of its partition. */
  private void lookAgain(String key, Taken<S> into) {
    try {
      S saved = states.get(key);
      Event overdue = saved == null ? null : subject.overdue(saved, partition);
      if (overdue != null) {
        into.overdue().add(overdue);
      } else {
        into.conclusions().add(conclude(key, null, partition));
      }
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
      LOGGER.atError().addKeyValue("table", key).setCause(e).log("the rules failed, left as it is");
    }
  }

  /** What follows from an event, or from time alone. */
  private Conclusion<S> conclude(String key, @Nullable Event event, PartitionState at) {
    Now now = at.now();
    S saved = states.get(key);
    S before = saved == null ? subject.unknown(key) : saved;
    S after = event == null ? before : subject.fold(event, before, now);
    List<? extends Decided<? extends Decision>> decisions = subject.decide(after, at, now);
    for (Decided<? extends Decision> decided : decisions) {
      after = subject.apply(decided.decision(), after, now);
    }
    long next = subject.nextDueMillis(after, at, now);
    boolean changed = saved == null || !after.equals(before);
    if (changed) {
      states.put(key, after);
    }
    due.set(key, next);
    boolean isNews = !decisions.isEmpty() || subject.isNews(before, after);
    return new Conclusion<>(key, after, changed, isNews, decisions);
  }

  private S stateOf(String key) {
    S saved = states.get(key);
    return saved == null ? subject.unknown(key) : saved;
  }
}
