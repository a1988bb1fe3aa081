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
  /** Why something is not proven; the names are part of what {@code check} prints. */
  enum Code {
    /** The partition's journal does not begin with entry 1, or jumps over what a mark names. */
    HISTORY_CUT,
    /** Entries are missing and nothing marks it, which is broken too. */
    ENTRIES_MISSING,
    /** An entry or a decision contradicts what came before it, which is broken too. */
    NOT_FOLDABLE,
    /** Input was gone before the scheduler read it; the journal is whole. */
    INPUT_MISSING
  }

  /** Something that an auditor must know to judge the result. */
  record Note(Code code, String half, int partition, long entry, String text) {
    @Override
    public String toString() {
      return code + " " + place(half, partition, entry) + ": " + text;
    }
  }

  private static final String FROM_HERE_ON =
      "; from here on sequences, times and inputs of this partition are checked, its units, turns,"
          + " versions and places are neither checked nor counted";

  private final String half;
  private final Problems problems;
  private final List<Note> notes = new ArrayList<>();
  private final Map<Integer, Part> parts = new TreeMap<>();
  private long entries;
  private long decisions;
  private long notFolded;

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

  /** With the name of this half. */
  JournalCheck(String half, Problems problems) {
    this.half = half;
    this.problems = problems;
  }

  /** Takes the next step of a partition. */
  void take(JournalStep step) {
    entries++;
    decisions += step.decisions().size();
    JournalEntry entry = step.entry();
    String where = place(half, step.partition(), entry.sequence());
    boolean first = !parts.containsKey(step.partition());
    Part part = parts.computeIfAbsent(step.partition(), partition -> new Part());
    checkOrder(step, part, first, where);
    checkDecisions(step, where);
    if (part.cut) {
      notFolded++;
    } else {
      try {
        fold(step, part, where);
      } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
        problems.add(where, "cannot be folded: " + e.getMessage());
        cut(part, Code.NOT_FOLDABLE, step, "it cannot be folded"); // The rest would repeat it.
      }
    }
  }

  private static String place(String half, int partition, long entry) {
    return half + ", partition " + partition + ", entry " + entry;
  }

  private void cut(Part part, Code code, JournalStep step, String what) {
    if (!part.cut) {
      note(code, step, what + FROM_HERE_ON);
    }
    part.cut = true;
  }

  private void note(Code code, JournalStep step, String text) {
    notes.add(new Note(code, half, step.partition(), step.entry().sequence(), text));
  }

  private void checkOrder(JournalStep step, Part part, boolean first, String where) {
    JournalEntry entry = step.entry();
    long expected = part.sequence + 1;
    if (entry.sequence() != expected) {
      boolean marked = entry.event() instanceof SourceGap gap && gap.toOffset() == entry.sequence();
      if (first || marked) {
        cut(part, Code.HISTORY_CUT, step, "what came before is gone");
      } else {
        problems.add(where, "expected entry " + expected);
        cut(part, Code.ENTRIES_MISSING, step, "entry " + expected + " was expected");
      }
    }
    if (entry.atMillis() < part.atMillis) {
      problems.add(where, "expected time not to go back, but it was " + part.atMillis);
    }
    part.sequence = entry.sequence();
    part.atMillis = entry.atMillis();
    checkInput(step, part, where);
  }

  private void checkInput(JournalStep step, Part part, String where) {
    JournalEntry entry = step.entry();
    Source source = entry.source();
    if (source == null) {
      return;
    }
    String input = source.topic() + "-" + source.partition();
    if (entry.event() instanceof SourceGap gap) {
      note(
          Code.INPUT_MISSING,
          step,
          "input of partition " + source.partition() + " is missing: " + gap);
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

  List<Note> notes() {
    return List.copyOf(notes);
  }

  long entries() {
    return entries;
  }

  long decisions() {
    return decisions;
  }

  /** Of how many entries little but the sequence was checked. */
  long notFolded() {
    return notFolded;
  }

  /** How many of a thing the tables have in all. */
  long sum(ToLongFunction<TableCheck> of) {
    return parts.values().stream().flatMap(p -> p.tables.values().stream()).mapToLong(of).sum();
  }
}
