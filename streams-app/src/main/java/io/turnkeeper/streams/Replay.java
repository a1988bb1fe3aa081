package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Goes through one half of history again and compares: the states with what is known of them, and,
 * if asked, what is decided now with what was decided then. Ends at the first difference.
 *
 * @param <S> the state of one subject
 */
public final class Replay<S> {
  private final Subject<S> subject;
  private final RecordCodec codec;
  private final ReplayOptions options;
  private final Map<Integer, SortedMap<Long, List<KnownState>>> known = new HashMap<>();
  private final SortedMap<Integer, Part<S>> parts = new TreeMap<>();
  private final List<String> cut = new ArrayList<>();
  private final Set<Integer> cutPartitions = new HashSet<>();
  private @Nullable String difference;
  private long entries;
  private long decisions;
  private long compared;
  private long otherVersions;
  private long decidedAgain;

  /** One partition on its way. */
  private record Part<S>(MemoryStates<S> states, PartitionFold<S> fold) {}

  private Replay(
      Subject<S> subject, RecordCodec codec, ReplayOptions options, List<KnownState> known) {
    this.subject = subject;
    this.codec = codec;
    this.options = options;
    for (KnownState state : known) {
      if (options.concerns(state.key())) {
        this.known
            .computeIfAbsent(state.partition(), partition -> new TreeMap<>())
            .computeIfAbsent(state.sequence(), sequence -> new ArrayList<>())
            .add(state);
      }
    }
  }

  /** A replay of the tables' half. */
  public static Replay<TableState> ofTables(
      RecordCodec codec, ReplayOptions options, List<KnownState> known) {
    return new Replay<>(
        new TableSubject(), codec, options, known.stream().filter(one -> !one.pool()).toList());
  }

  /** A replay of the pools' half. */
  public static Replay<PoolState> ofPools(
      RecordCodec codec, ReplayOptions options, List<KnownState> known) {
    return new Replay<>(
        new PoolSubject(), codec, options, known.stream().filter(KnownState::pool).toList());
  }

  /** How many entries were folded. */
  public long entries() {
    return entries;
  }

  /** How many recorded decisions were folded. */
  public long decisions() {
    return decisions;
  }

  /** How many recorded decisions were made again. */
  public long decidedAgain() {
    return decidedAgain;
  }

  /** Whether there was no entry at all, not even one whose partition's beginning is gone. */
  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /** How many states were compared. */
  public long compared() {
    return compared;
  }

  /** How many entries could not be decided again, since other rules decided then. */
  public long otherVersions() {
    return otherVersions;
  }

  /** Partitions whose beginning is gone, so that nothing can be said of their states. */
  public List<String> cut() {
    return List.copyOf(cut);
  }

  /** The first difference, null if there was none. */
  public @Nullable String difference() {
    return difference;
  }

  /** A subject's state as it was rebuilt, null if history does not name it. */
  public @Nullable S state(String key) {
    return parts.values().stream()
        .map(part -> part.states().get(key))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** Takes the next step of a partition; after a difference all further ones are passed over. */
  public void take(JournalStep step) {
    JournalEntry entry = step.entry();
    if (difference != null
        || entry.sequence() > options.untilSequence()
        || entry.atMillis() > options.untilMillis()) {
      return;
    }
    Part<S> part = parts.get(step.partition());
    if (part == null) {
      part = begin(step);
    }
    if (cutPartitions.contains(step.partition())) {
      return;
    }
    long expected = part.fold().partition().sequence() + 1;
    if (entry.sequence() != expected) {
      difference = place(step) + ": expected entry " + expected;
      return;
    }
    entries++;
    decisions += step.decisions().size();
    part.states().forgetBefore();
    try {
      fold(step, part);
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
      difference = place(step) + ": the rules do not take " + entry + ": " + e;
    }
    compare(step, part);
  }

  private void fold(JournalStep step, Part<S> part) {
    boolean otherRules = step.decisions().stream().anyMatch(Replay::isOfOtherRules);
    if (options.verify() && !otherRules) {
      verify(step, part);
      return;
    }
    part.fold().refold(step, PartitionFold.Known.NOTHING);
    otherVersions += otherRules ? 1 : 0;
  }

  private Part<S> begin(JournalStep first) {
    MemoryStates<S> states = new MemoryStates<>();
    Part<S> part = new Part<>(states, new PartitionFold<>(subject, states));
    parts.put(first.partition(), part);
    if (first.entry().sequence() != 1) {
      cutPartitions.add(first.partition());
      cut.add(
          "partition "
              + first.partition()
              + ": history begins with entry "
              + first.entry().sequence()
              + "; what came before is gone, so its states cannot be rebuilt");
    }
    return part;
  }

  private static boolean isOfOtherRules(DecisionRecord record) {
    return record.rulesVersion() != TableRules.VERSION;
  }

  private void verify(JournalStep step, Part<S> part) {
    List<Again> recorded =
        step.decisions().stream()
            .map(record -> new Again(record.decision(), record.reason()))
            .filter(again -> options.concerns(subject.keyOf(again.decision())))
            .toList();
    List<Again> decided = new ArrayList<>();
    for (Conclusion<S> conclusion : part.fold().take(step.entry()).conclusions()) {
      for (Decided<? extends Decision> one : conclusion.decisions()) {
        if (options.concerns(conclusion.key())) {
          decided.add(new Again(one.decision(), one.reason()));
        }
      }
    }
    decidedAgain += decided.size();
    if (!decided.equals(recorded)) {
      Set<String> concerned = new TreeSet<>();
      Stream.concat(recorded.stream(), decided.stream())
          .forEach(again -> concerned.add(subject.keyOf(again.decision())));
      difference =
          String.join(
              System.lineSeparator(),
              place(step) + ": after " + step.entry(),
              "  recorded then: " + recorded,
              "  decided now:   " + decided,
              "  state before:  " + concerned.stream().map(part.states()::before).toList());
    }
  }

  /** A decision with its reason, recorded or made again. */
  private record Again(Decision decision, String reason) {}

  private void compare(JournalStep step, Part<S> part) {
    List<KnownState> here =
        known.getOrDefault(step.partition(), new TreeMap<>()).remove(step.entry().sequence());
    if (here == null || difference != null) {
      return;
    }
    for (KnownState state : here) {
      Object rebuilt =
          state.key().equals(Nodes.PARTITION_KEY)
              ? part.fold().partition()
              : part.states().get(state.key());
      String digest = rebuilt == null ? "none" : Digests.sha256(codec.encode(rebuilt));
      compared++;
      if (!digest.equals(state.digest())) {
        difference =
            String.join(
                System.lineSeparator(),
                place(step) + ": the state of '" + state.key() + "' differs",
                "  digest in " + state.where() + ": " + state.digest(),
                "  digest rebuilt: " + digest,
                "  state rebuilt: " + rebuilt);
        return;
      }
    }
  }

  /** Everything was taken: what is known of later entries than there are is a difference too. */
  public void end() {
    if (difference != null || !options.isOpenEnded()) {
      return;
    }
    known.forEach(
        (partition, left) -> {
          Part<S> part = parts.get(partition);
          if (!left.isEmpty() && !cutPartitions.contains(partition)) {
            KnownState state = Objects.requireNonNull(left.get(left.lastKey())).get(0);
            difference =
                "partition "
                    + partition
                    + ": "
                    + state.where()
                    + " has the state of '"
                    + state.key()
                    + "' after entry "
                    + state.sequence()
                    + ", but history ends at entry "
                    + (part == null ? 0 : part.fold().partition().sequence());
          }
        });
  }

  private static String place(JournalStep step) {
    return "partition " + step.partition() + ", entry " + step.entry().sequence();
  }
}
