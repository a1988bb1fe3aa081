package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.Explanation;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.MemoryPartition;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What came of a span of history, from its steps and the states after them; recorded and simulated
 * steps are counted by this one class.
 */
final class Figures {
  /** How many points a series has. */
  static final int POINTS = 12;

  /** A live unit as it was last seen. */
  private static final class Watched {
    private Unit unit;
    private boolean served;
    private boolean promoted;

    private Watched(Unit unit) {
      this.unit = unit;
    }

    private long readySince() {
      return unit.waitsForTurn() ? unit.readyAtMillis() : 0;
    }
  }

  /** One table as it was last seen. */
  private static final class WatchedTable {
    private final Map<Long, Watched> units = new HashMap<>();
    private long pending;
  }

  /** One partition, with its sums over its tables. */
  private static final class Part {
    private final MemoryPartition<TableState> partition;
    private final SortedMap<String, WatchedTable> tables = new TreeMap<>();
    private final Map<Kind, Long> open = new EnumMap<>(Kind.class);
    private long pending;
    private int point;

    private Part(MemoryPartition<TableState> partition) {
      this.partition = partition;
    }
  }

  private final long fromMillis;
  private final long untilMillis;
  private final SortedMap<Integer, Part> parts = new TreeMap<>();
  private final Map<Kind, KindFigures> kinds = new EnumMap<>(Kind.class);
  private final long[] pending = new long[POINTS];

  Figures(long fromMillis, long untilMillis) {
    this.fromMillis = fromMillis;
    this.untilMillis = untilMillis;
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new KindFigures(POINTS));
    }
  }

  KindFigures of(Kind kind) {
    return Objects.requireNonNull(kinds.get(kind));
  }

  /** The generations at each point of time that were sealed and not merged. */
  long[] pending() {
    return pending.clone();
  }

  /** The end of each of the equal pieces of the span. */
  long pointMillis(int point) {
    return fromMillis + (untilMillis - fromMillis) * (point + 1) / POINTS;
  }

  /** Takes the next step of a partition, which has folded it already. */
  void take(JournalStep step, MemoryPartition<TableState> partition) {
    Part part = parts.computeIfAbsent(partition.number(), number -> new Part(partition));
    long at = step.entry().atMillis();
    pass(part, at);
    TreeSet<String> touched = new TreeSet<>();
    if (step.entry().event() instanceof TableEvent event
        && !event.table().equals(TableId.DEFAULT)) {
      touched.add(event.table().value());
    }
    for (DecisionRecord record : step.decisions()) {
      touched.add(((TableDecision) record.decision()).table().value());
    }
    touched.forEach(table -> look(part, table, at));
    for (DecisionRecord record : step.decisions()) {
      if (record.decision() instanceof GrantTurn grant) {
        granted(part, grant, at);
      }
    }
  }

  /** The time is over: what still waits has waited until now. */
  void end() {
    for (Part part : parts.values()) {
      part.tables.keySet().forEach(table -> look(part, table, untilMillis));
      pass(part, Long.MAX_VALUE);
      for (WatchedTable table : part.tables.values()) {
        table.units.values().forEach(this::leave);
      }
    }
  }

  private void leave(Watched watched) {
    KindFigures figures = of(watched.unit.kind());
    if (watched.readySince() > 0) {
      figures.ready(untilMillis - watched.readySince());
    }
    if (!watched.served) {
      figures.unserved(untilMillis - watched.unit.requestedAtMillis());
      figures.leftUnserved();
    }
  }

  /** Writes down the sums for each point before {@code at}. */
  private void pass(Part part, long at) {
    while (part.point < POINTS && pointMillis(part.point) < at) {
      pending[part.point] += part.pending;
      part.open.forEach((kind, units) -> of(kind).open(part.point, units));
      part.point++;
    }
  }

  private void look(Part part, String table, long at) {
    TableState state = part.partition.get(table);
    if (state == null) {
      return;
    }
    WatchedTable known = part.tables.computeIfAbsent(table, key -> new WatchedTable());
    part.pending += state.pendingGenerations() - known.pending;
    known.pending = state.pendingGenerations();
    Map<Long, Unit> live = new HashMap<>();
    state.units().values().forEach(unit -> live.put(unit.id().sequence(), unit));
    for (Watched watched : known.units.values()) {
      countPromotion(watched, state, part, at);
    }
    known.units.values().removeIf(watched -> isOver(watched, live, part, at));
    for (Unit unit : live.values()) {
      Watched watched = known.units.get(unit.id().sequence());
      if (watched == null) {
        known.units.put(unit.id().sequence(), new Watched(unit));
        part.open.merge(unit.kind(), 1L, Long::sum);
      } else {
        countWait(watched, unit.waitsForTurn() ? unit.readyAtMillis() : 0, at);
        watched.unit = unit;
      }
    }
  }

  private boolean isOver(Watched watched, Map<Long, Unit> live, Part part, long at) {
    Unit unit = watched.unit;
    if (live.containsKey(unit.id().sequence())) {
      return false;
    }
    part.open.merge(unit.kind(), -1L, Long::sum);
    countWait(watched, 0, at);
    if (!watched.served && at >= fromMillis) {
      of(unit.kind()).unserved(at - unit.requestedAtMillis());
    }
    return true;
  }

  private void countWait(Watched watched, long readySince, long at) {
    long before = watched.readySince();
    if (before > 0 && before != readySince && at >= fromMillis) {
      of(watched.unit.kind()).ready(at - before);
    }
  }

  private void countPromotion(Watched watched, TableState state, Part part, long at) {
    if (watched.promoted) {
      return;
    }
    PartitionState partition = part.partition.state();
    Now now = new Now(at, partition.observedMillis());
    watched.promoted = Explanation.isPromoted(watched.unit, state, Context.of(partition), now);
    if (watched.promoted && at >= fromMillis) {
      of(watched.unit.kind()).promoted();
    }
  }

  private void granted(Part part, GrantTurn grant, long at) {
    WatchedTable table = part.tables.get(grant.table().value());
    Watched watched = table == null ? null : table.units.get(grant.attempt().unit().sequence());
    if (watched == null) {
      return;
    }
    boolean first = !watched.served;
    watched.served = true;
    if (at < fromMillis) {
      return;
    }
    KindFigures figures = of(watched.unit.kind());
    figures.granted(Math.max(0, at - watched.unit.readyAtMillis()));
    if (first) {
      figures.unserved(at - watched.unit.requestedAtMillis());
    }
  }
}
