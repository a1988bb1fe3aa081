package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.Shard;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Turns;
import io.turnkeeper.simulation.scheduler.Subject;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariant 7: demand is folded once however often it comes, and a shard's watermarks are the
 * highest that were ever said of it, in whatever order they came. And what the authority was seen
 * to say counts at once, whatever unit is live.
 */
public final class FoldCheck implements Check<TableState, TableDecision> {
  private record Log(TableId table, long incarnation, ShardId shard) {}

  private record Highest(long epoch, long sealed, long bytes, long rows) {
    private static Highest of(WalSealed event) {
      return new Highest(
          event.writerEpoch(), event.sealedThrough(), event.bytesThrough(), event.rowsThrough());
    }

    private static Highest of(Shard shard) {
      return new Highest(
          shard.writerEpoch(), shard.sealedThrough(), shard.bytesThrough(), shard.rowsThrough());
    }

    private Highest max(Highest other) {
      return new Highest(
          Math.max(epoch, other.epoch),
          Math.max(sealed, other.sealed),
          Math.max(bytes, other.bytes),
          Math.max(rows, other.rows));
    }
  }

  private final Subject<TableId, TableState, TableDecision> subject;
  private final Map<Log, Highest> said = new HashMap<>();

  public FoldCheck(Subject<TableId, TableState, TableDecision> subject) {
    this.subject = subject;
  }

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    if (event instanceof WalSealed sealed) {
      sealed(sealed, before, after, now);
    } else if (event instanceof HeadObserved seen
        && seen.tableIncarnation() == before.incarnation()) {
      Violation.unless(
          isHeard(seen, before, after),
          "the authority's word counts whatever is live",
          () -> event + " on " + before + " gave " + after);
    }
  }

  private static boolean isHeard(HeadObserved seen, TableState before, TableState after) {
    Turns.Turn lost = before.turns().unresolved();
    boolean isFoundOut =
        lost != null && (seen.turn() == lost.number() || seen.highestTurn() > lost.number());
    return after.head().version() >= seen.version()
        && after.turns().highest() >= seen.highestTurn()
        && seen.mergedThrough().entrySet().stream()
            .allMatch(one -> after.shard(one.getKey()).mergedThrough() >= one.getValue())
        && (!isFoundOut || after.turns().unresolved() == null);
  }

  private void sealed(WalSealed event, TableState before, TableState after, Now now) {
    Violation.unless(
        subject.fold(event, after, now).equals(after),
        "7: folding demand is idempotent",
        () -> event + " twice on " + before);
    if (before.registration() == null || before.incarnation() != event.tableIncarnation()) {
      Violation.unless(
          after.equals(before),
          "7: what is said of another incarnation changes nothing",
          () -> event + " on " + before);
      return;
    }
    Highest highest =
        said.merge(
            new Log(event.table(), event.tableIncarnation(), event.shard()),
            Highest.of(event),
            Highest::max);
    Violation.unless(
        Highest.of(after.shard(event.shard())).equals(highest),
        "7: watermarks are the highest that were said",
        () -> after.shard(event.shard()) + " but " + highest);
  }
}
