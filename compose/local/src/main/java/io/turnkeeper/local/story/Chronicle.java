package io.turnkeeper.local.story;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.UnitDecision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the journal and the decisions of one partition tell of one table. Entries and decisions come
 * from two topics, so every fact is kept for itself and none waits for another; only a decision's
 * time is that of its journal entry.
 */
public final class Chronicle implements JournalListener {
  private static final int RECENT_DECISIONS = 8;
  private static final String EXPIRED = "expired";
  private static final String GAVE_WAY = "gave way";

  private final TableId table;
  private final SortedMap<Long, UnitStory> units = new TreeMap<>();
  private final SortedMap<Long, TurnStory> turns = new TreeMap<>();
  private final Map<Long, Long> timeOfEntry = new HashMap<>();
  private final Map<Long, List<DecisionRecord>> early = new HashMap<>();
  private final Deque<String> recent = new ArrayDeque<>();
  private final Log log = new Log();
  private final EventFold events = new EventFold(this);

  /** How far the shards' logs and the table are. */
  static final class Log {
    final SortedMap<String, Long> sealedThrough = new TreeMap<>();
    final SortedMap<String, Long> mergedThrough = new TreeMap<>();
    final SortedMap<Long, Long> turnOfVersion = new TreeMap<>();
    DemandEvent.@Nullable TableObserved observed;
    long newestVersion;
  }

  public Chronicle(TableId table) {
    this.table = table;
  }

  @Override
  public synchronized void entry(JournalEntry entry) {
    if (entry.event() instanceof TableEvent event && event.table().equals(table)) {
      events.fold(event, entry.atMillis());
    }
    // A decision about the table can also follow from a tick or from another table's entry.
    timed(entry);
  }

  @Override
  public synchronized void decision(DecisionRecord record) {
    if (!(record.decision() instanceof TableDecision decision) || !decision.table().equals(table)) {
      return;
    }
    Long at = timeOfEntry.get(record.sequence());
    if (at == null) {
      early.computeIfAbsent(record.sequence(), sequence -> new ArrayList<>()).add(record);
    } else {
      fold(decision, record.reason(), at);
    }
  }

  private void timed(JournalEntry entry) {
    timeOfEntry.put(entry.sequence(), entry.atMillis());
    List<DecisionRecord> waiting = early.remove(entry.sequence());
    if (waiting != null) {
      for (DecisionRecord record : waiting) {
        fold((TableDecision) record.decision(), record.reason(), entry.atMillis());
      }
    }
  }

  private void fold(TableDecision decision, String reason, long at) {
    if (decision instanceof UnitDecision.OpenUnit open) {
      giveWay(open.kind(), open.unit().sequence(), at);
      UnitStory unit = unit(open.unit().sequence());
      unit.kind = open.kind();
      unit.mode = open.mode();
      unit.openedAt = at;
      unit.reason = reason;
    } else if (decision instanceof Assignment.GrantTurn grant) {
      granted(grant, reason, at);
    } else if (decision instanceof UnitDecision.WithdrawGrant withdrawn) {
      ended(turn(withdrawn.turn()), "withdrawn", at);
    } else if (decision instanceof UnitDecision.ExpireTurn expired) {
      ended(turn(expired.turn()), EXPIRED, at);
    } else if (decision instanceof UnitDecision.FailUnit failed) {
      ended(unit(failed.unit().sequence()), "failed: " + failed.code(), at);
    }
    if (!(decision instanceof UnitDecision.RequestPlacement)
        && !(decision instanceof UnitDecision.EndReservation)) {
      recent.addLast(described(decision) + ": " + reason);
      if (recent.size() > RECENT_DECISIONS) {
        recent.removeFirst();
      }
    }
  }

  private String described(TableDecision decision) {
    if (decision instanceof UnitDecision.OpenUnit open) {
      return "open " + named(open.unit().sequence());
    }
    if (decision instanceof Assignment.RunUnit run) {
      return "run " + named(run.attempt().unit().sequence());
    }
    if (decision instanceof Assignment.GrantTurn grant) {
      return "turn " + grant.turn() + " to " + named(grant.attempt().unit().sequence());
    }
    return decision.getClass().getSimpleName();
  }

  private String named(long sequence) {
    return unit(sequence).kind + " unit " + sequence;
  }

  /** A table has one live unit of a kind: one that has not begun can give way to a later one. */
  private void giveWay(Kind kind, long to, long at) {
    for (UnitStory unit : units.headMap(to).values()) {
      if (unit.kind == kind) {
        ended(unit, GAVE_WAY, at);
      }
    }
  }

  private void granted(Assignment.GrantTurn grant, String reason, long at) {
    TurnStory turn = turn(grant.turn());
    UnitStory unit = unit(grant.attempt().unit().sequence());
    turn.unit = unit.unit;
    turn.grantedAt = at;
    turn.reason = reason;
    turn.readyAt = unit.readyAt > 0 ? unit.readyAt : unit.claimedAt;
    unit.turn = grant.turn();
  }

  Log log() {
    return log;
  }

  UnitStory unit(long sequence) {
    return units.computeIfAbsent(sequence, UnitStory::new);
  }

  TurnStory turn(long number) {
    return turns.computeIfAbsent(number, TurnStory::new);
  }

  static void ended(TurnStory turn, String outcome, long at) {
    // What became of an expired turn is found out later.
    if (turn.outcome.isEmpty() || turn.outcome.equals(EXPIRED)) {
      turn.outcome = outcome;
      turn.endedAt = at;
    }
  }

  static void ended(UnitStory unit, String outcome, long at) {
    // The journal may tell a moment later that it had ended before.
    if (unit.outcome.isEmpty() || unit.outcome.equals(GAVE_WAY)) {
      unit.outcome = outcome;
      unit.endedAt = at;
    }
  }

  /** Everything so far, as a value. */
  public synchronized Telling tell() {
    return new Telling(
        units.values().stream().map(UnitStory::copy).toList(),
        turns.values().stream().map(TurnStory::copy).toList(),
        new TreeMap<>(log.sealedThrough),
        new TreeMap<>(log.mergedThrough),
        new TreeMap<>(log.turnOfVersion),
        log.observed,
        log.newestVersion,
        List.copyOf(recent));
  }

  /** How many merges were published while an index was being prepared outside the turn. */
  public synchronized long mergesDuringIndexPreparation() {
    return units.values().stream()
        .filter(unit -> unit.kind == Kind.MERGE_WAL && unit.outcome.equals(EventFold.PUBLISHED))
        .filter(
            merge ->
                units.values().stream()
                    .anyMatch(
                        unit -> unit.kind == Kind.INDEX && unit.wasPreparingAt(merge.endedAt)))
        .count();
  }
}
