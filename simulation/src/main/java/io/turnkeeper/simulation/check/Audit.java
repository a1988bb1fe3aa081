package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.simulation.scheduler.Step;
import io.turnkeeper.simulation.scheduler.Subject;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rebuilds every state from the journal and the recorded decisions alone, shows each change to the
 * checks, decides again, and compares with the live states (invariant 8).
 */
public final class Audit<K extends Comparable<? super K>, S, D extends Decision> {
  private final Subject<K, S, D> subject;
  private final List<Check<S, D>> checks;
  private final Tally tally;
  private final WorkCheck<K, S, D> work;
  private final SortedMap<K, S> rebuilt = new TreeMap<>();
  private final List<Step<K, D>> journal = new ArrayList<>();
  private PartitionState partition = PartitionState.START;

  public Audit(Subject<K, S, D> subject, List<Check<S, D>> checks, Tally tally) {
    this.subject = subject;
    this.checks = checks;
    this.tally = tally;
    work = new WorkCheck<>(subject);
  }

  /** Folds what became real and compares with the live states. */
  public void committed(List<Step<K, D>> steps, SortedMap<K, S> live) {
    journal.addAll(steps);
    for (Step<K, D> step : steps) {
      follow(step);
    }
    for (Step<K, D> step : steps) {
      step.looked().forEach(look -> compare(look.key(), live));
    }
  }

  /** Compares all states, as after a restart. */
  public void compareAll(SortedMap<K, S> live) {
    rebuilt.keySet().forEach(key -> compare(key, live));
  }

  /** Rebuilds everything from the first entry on and compares it with all that is live. */
  public void rebuild(SortedMap<K, S> live, PartitionState livePartition) {
    SortedMap<K, S> states = new TreeMap<>();
    PartitionState now = PartitionState.START;
    for (Step<K, D> step : journal) {
      now = now.after(step.entry());
      K about = subject.keyOf(step.entry().event());
      if (about != null) {
        S before = known(states, about);
        states.put(about, subject.fold(step.entry().event(), before, now.now()));
      }
      for (Step.Look<K, D> look : step.looked()) {
        S state = known(states, look.key());
        for (Decided<D> decided : look.decided()) {
          state = subject.apply(decided.decision(), state, now.now());
        }
        states.put(look.key(), state);
      }
    }
    tally.count("checked: everything was rebuilt from the first entry");
    if (!states.equals(live) || !now.equals(livePartition)) {
      throw new Violation(
          "8: rebuilt from the first entry = live",
          live + " with " + livePartition + " but rebuilt " + states + " with " + now);
    }
  }

  private S known(SortedMap<K, S> states, K key) {
    S known = states.get(key);
    return known == null ? subject.unknown(key) : known;
  }

  private void compare(K key, SortedMap<K, S> live) {
    S again = rebuilt.get(key);
    S state = live.get(key);
    tally.count("checked: a live state was compared");
    if (again == null || !again.equals(state)) {
      throw new Violation("8: rebuilt = live", key + " is " + state + " but rebuilt " + again);
    }
  }

  private void follow(Step<K, D> step) {
    JournalEntry entry = step.entry();
    partition = partition.after(entry);
    tally.count(entry.event());
    work.began(step, partition);
    K key = subject.keyOf(entry.event());
    if (key != null) {
      fold(key, entry.event());
    }
    step.looked().forEach(this::follow);
  }

  private void fold(K key, Event event) {
    S before = state(key);
    S after = subject.fold(event, before, partition.now());
    for (Check<S, D> check : checks) {
      check.folded(event, before, after, partition.now());
    }
    rebuilt.put(key, after);
  }

  private void follow(Step.Look<K, D> look) {
    S state = state(look.key());
    tally.count("checked: an entry was decided on again");
    List<Decided<D>> again = subject.decide(state, partition, partition.now());
    if (!again.equals(look.decided())) {
      throw new Violation(
          "8: decided again = recorded", look.decided() + " but decided again " + again);
    }
    for (Decided<D> decided : look.decided()) {
      S before = state;
      state = subject.apply(decided.decision(), before, partition.now());
      tally.count(decided.decision());
      for (Check<S, D> check : checks) {
        check.decided(decided, before, state, partition);
      }
    }
    rebuilt.put(look.key(), state);
    for (Check<S, D> check : checks) {
      check.rested(state, partition);
    }
    work.rested(look.key(), state, partition);
  }

  private S state(K key) {
    return known(rebuilt, key);
  }
}
