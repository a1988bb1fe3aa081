package io.turnkeeper.streams.audit;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent.SourceGap;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.JournalStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Goes through one half of history and proves, from entries and recorded decisions alone, what must
 * hold at every prefix. It folds with the core and asks no rule.
 */
final class JournalCheck {
  private final Problems problems;
  private final List<String> notes = new ArrayList<>();
  private final Map<Integer, Part> parts = new TreeMap<>();
  private long entries;
  private long decisions;

  /** One partition on its way; of a cut one only the sequences are checked. */
  private static final class Part {
    private final Map<String, TableCheck> tables = new TreeMap<>();
    private final Map<String, PoolCheck> pools = new TreeMap<>();
    private final Map<String, Long> offsets = new HashMap<>();
    private PartitionState state = PartitionState.START;
    private long sequence;
    private long atMillis;
    private boolean cut;
  }

  JournalCheck(Problems problems) {
    this.problems = problems;
  }

  /** Takes the next step of a partition. */
  void take(JournalStep step) {
    entries++;
    decisions += step.decisions().size();
    JournalEntry entry = step.entry();
    String where = "partition " + step.partition() + ", entry " + entry.sequence();
    boolean first = !parts.containsKey(step.partition());
    Part part = parts.computeIfAbsent(step.partition(), partition -> new Part());
    checkOrder(entry, part, first, where);
    checkDecisions(step, where);
    if (!part.cut) {
      try {
        fold(step, part, where);
      } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
        problems.add(where, "cannot be folded: " + e.getMessage());
        part.cut = true; // What follows would only repeat it.
      }
    }
  }

  private void checkOrder(JournalEntry entry, Part part, boolean first, String where) {
    long expected = part.sequence + 1;
    if (entry.sequence() != expected) {
      boolean marked = entry.event() instanceof SourceGap gap && gap.toOffset() == entry.sequence();
      if (first || marked) {
        notes.add(where + ": what came before is gone; only sequences are checked from here on");
      } else {
        problems.add(where, "expected entry " + expected);
      }
      part.cut = true;
    }
    if (entry.atMillis() < part.atMillis) {
      problems.add(where, "expected time not to go back, but it was " + part.atMillis);
    }
    part.sequence = entry.sequence();
    part.atMillis = entry.atMillis();
    checkInput(entry, part, where);
  }

  private void checkInput(JournalEntry entry, Part part, String where) {
    Source source = entry.source();
    if (source == null) {
      return;
    }
    String input = source.topic() + "-" + source.partition();
    if (entry.event() instanceof SourceGap gap) {
      notes.add(where + ": input of partition " + source.partition() + " is missing: " + gap);
      part.offsets.put(input, gap.toOffset() - 1);
      return;
    }
    Long before = part.offsets.put(input, source.offset());
    if (before != null && before >= source.offset()) {
      problems.add(where, source + " was folded twice, or after offset " + before);
    }
  }

  private void checkDecisions(JournalStep step, String where) {
    int index = 0;
    for (DecisionRecord record : step.decisions()) {
      if (record.index() != index || record.partition() != step.partition()) {
        problems.add(where, "expected decision " + index + ", but it is " + record);
      }
      index++;
    }
  }

  private void fold(JournalStep step, Part part, String where) {
    part.state = part.state.after(step.entry());
    Now now = part.state.now();
    Event event = step.entry().event();
    if (event instanceof TableEvent fact && !fact.table().equals(TableId.DEFAULT)) {
      table(part, fact.table()).take(fact, now, where);
    } else if (event instanceof PoolEvent fact) {
      pool(part, fact.pool().value()).take(fact, now);
    }
    for (DecisionRecord record : step.decisions()) {
      if (record.decision() instanceof TableDecision decision) {
        table(part, decision.table()).take(decision, now, where);
      } else if (record.decision() instanceof PoolDecision decision) {
        pool(part, decision.pool().value()).take(decision, part.state.settings(), now, where);
      }
    }
  }

  private TableCheck table(Part part, TableId id) {
    return part.tables.computeIfAbsent(id.value(), key -> new TableCheck(id, problems));
  }

  private PoolCheck pool(Part part, String id) {
    return part.pools.computeIfAbsent(id, key -> new PoolCheck(id, problems));
  }

  /** What only shows at the end. */
  void end() {
    parts.values().forEach(part -> part.tables.values().forEach(TableCheck::end));
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  long entries() {
    return entries;
  }

  long decisions() {
    return decisions;
  }

  /** How many of a thing the tables have in all. */
  long sum(ToLongFunction<TableCheck> of) {
    return parts.values().stream().flatMap(p -> p.tables.values().stream()).mapToLong(of).sum();
  }
}
