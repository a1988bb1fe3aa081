package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.partition.TaskClock;
import io.turnkeeper.simulation.world.Dice;
import io.turnkeeper.simulation.world.Network;
import io.turnkeeper.simulation.world.Topic;
import io.turnkeeper.simulation.world.VirtualClock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One partition of the scheduler, as the topology drives it: reads one record of any of its topics,
 * gives it its place and time, folds it, decides, and commits now and then. It can die between any
 * two of these and starts again from its store.
 */
public final class SchedulerTask<K extends Comparable<? super K>, S, D extends Decision> {
  private static final long LOOK_MILLIS = 100;
  private static final long COMMIT_MILLIS = 30;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** What a task is made of. */
  public record Parts<K extends Comparable<? super K>, S, D extends Decision>(
      Subject<K, S, D> subject,
      List<Topic> inputs,
      Settings settings,
      VirtualClock clock,
      Network network,
      Dice dice) {}

  private final Parts<K, S, D> parts;
  private final Subject<K, S, D> subject;
  private final Transaction<K, S, D> store = new Transaction<>();
  private final Consumer<List<Step<K, D>>> onCommit;
  private final Map<K, Long> due = new HashMap<>();
  private long wallOffsetMillis;
  private long start;
  private boolean up;
  private boolean reading;
  private @Nullable TaskClock taskClock;

  /**
   * A task that is not started.
   *
   * @param onCommit hears of all that became real with a commit
   */
  public SchedulerTask(Parts<K, S, D> parts, Consumer<List<Step<K, D>>> onCommit) {
    this.parts = parts;
    this.subject = parts.subject();
    this.onCommit = onCommit;
    parts.inputs().forEach(topic -> parts.network().onArrival(topic, this::wake));
  }

  /** Starts from the store; every start is an entry, after which everybody is looked at. */
  public void start() {
    start++;
    up = true;
    reading = false;
    VirtualClock clock = parts.clock();
    TaskClock begun =
        new TaskClock(
            store.partition().atMillis(),
            () -> clock.nowMillis() + wallOffsetMillis,
            () -> clock.nowMillis() * NANOS_PER_MILLI);
    taskClock = begun;
    store.states().keySet().forEach(key -> due.put(key, 0L));
    if (begun.gapMillis() != 0) {
      take(null, new PartitionEvent.ClockGap(begun.gapMillis()));
    }
    take(null, new PartitionEvent.SettingsApplied(parts.settings(), FrozenMap.of()));
    look(start);
    wake();
  }

  /** Dies with what it had not committed, and starts again after a while. */
  public void crash(long downMillis) {
    if (!up) {
      return;
    }
    up = false;
    start++;
    store.rollBack();
    due.clear();
    parts.clock().after(downMillis, this::start);
  }

  /** Its machine's clock is set. */
  public void setClock(long byMillis) {
    wallOffsetMillis += byMillis;
  }

  /** Its machine's clock is right again. */
  public void correctClock() {
    wallOffsetMillis = 0;
  }

  public SortedMap<K, S> states() {
    return store.states();
  }

  public PartitionState partition() {
    return store.partition();
  }

  /** Whether all that was done is real. */
  public boolean isCommitted() {
    return store.isEmpty();
  }

  private void wake() {
    if (up && !reading) {
      reading = true;
      long of = start;
      parts.clock().after(parts.dice().below(4), () -> read(of));
    }
  }

  private void read(long of) {
    if (of != start) {
      return;
    }
    reading = false;
    List<Topic> unread = new ArrayList<>();
    for (Topic topic : parts.inputs()) {
      if (next(topic) < parts.network().log(topic).size()) {
        unread.add(topic);
      }
    }
    if (unread.isEmpty()) {
      return;
    }
    Topic topic = parts.dice().any(unread);
    long offset = next(topic);
    take(new Source(topic.name(), 0, offset), parts.network().log(topic).get((int) offset));
    wake();
  }

  private long next(Topic topic) {
    return store.partition().nextOffsets().getOrDefault(topic.name() + "-0", 0L);
  }

  /** Looks at the timers, as often as the topology does where it makes a difference. */
  private void look(long of) {
    if (of != start) {
      return;
    }
    long at = at();
    if (isSomeDue(at)
        || at - store.partition().atMillis() >= PartitionEvent.Tick.MAX_APART_MILLIS) {
      take(null, new PartitionEvent.Tick());
    }
    parts.clock().after(LOOK_MILLIS, () -> look(of));
  }

  private boolean isSomeDue(long at) {
    for (long when : due.values()) {
      if (when <= at) {
        return true;
      }
    }
    return false;
  }

  private void take(@Nullable Source source, Event event) {
    PartitionState before = store.partition();
    JournalEntry entry =
        new JournalEntry(before.sequence() + 1, Math.max(before.atMillis(), at()), source, event);
    PartitionState after = before.after(entry);
    List<Step.Look<K, D>> looked = new ArrayList<>();
    K key = subject.keyOf(event);
    if (key != null) {
      looked.add(conclude(key, event, after));
    } else if (event instanceof PartitionEvent.Tick) {
      for (K one : List.copyOf(store.states().keySet())) {
        if (due.getOrDefault(one, Long.MAX_VALUE) <= after.atMillis()) {
          looked.add(conclude(one, null, after));
        }
      }
    } else {
      store.states().keySet().forEach(one -> due.put(one, after.atMillis()));
    }
    boolean first = store.isEmpty();
    store.add(new Step<>(entry, looked), after);
    if (first) {
      long of = start;
      parts.clock().after(parts.dice().below(COMMIT_MILLIS), () -> commit(of));
    }
  }

  private Step.Look<K, D> conclude(K key, @Nullable Event event, PartitionState partition) {
    Now now = partition.now();
    S known = store.states().get(key);
    S before = known == null ? subject.unknown(key) : known;
    S state = event == null ? before : subject.fold(event, before, now);
    List<Decided<D>> decided = subject.decide(state, partition, now);
    for (Decided<D> one : decided) {
      state = subject.apply(one.decision(), state, now);
    }
    store.put(key, state);
    due.put(key, subject.nextDueMillis(state, partition, now));
    return new Step.Look<>(key, decided);
  }

  private void commit(long of) {
    if (of == start && !store.isEmpty()) {
      onCommit.accept(store.commit());
    }
  }

  private long at() {
    TaskClock clock = taskClock;
    if (clock == null) {
      throw new IllegalStateException("expected a task that was started");
    }
    return clock.millis();
  }
}
