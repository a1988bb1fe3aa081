package io.turnkeeper.local.story;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.core.table.TableEvent;
import java.util.SortedMap;

/** Takes the events of one table into its chronicle. */
final class EventFold {
  static final String PUBLISHED = "published";

  private final Chronicle chronicle;

  EventFold(Chronicle chronicle) {
    this.chronicle = chronicle;
  }

  void fold(TableEvent event, long at) {
    if (event instanceof DemandEvent demand) {
      demand(demand);
    } else if (event instanceof ClaimEvent.UnitClaimed claimed) {
      UnitStory unit = chronicle.unit(claimed.attempt().unit().sequence());
      unit.claimedAt = at;
      unit.readyAt = 0;
      unit.attempts = Math.max(unit.attempts, claimed.attempt().number());
    } else if (event instanceof CheckpointEvent.PreparationReady ready) {
      chronicle.unit(ready.attempt().unit().sequence()).readyAt = at;
    } else if (event instanceof PublishEvent publish) {
      publish(publish, at);
    }
  }

  private void demand(DemandEvent event) {
    Chronicle.Log log = chronicle.log();
    if (event instanceof DemandEvent.WalSealed sealed) {
      log.sealedThrough.merge(sealed.shard().value(), sealed.sealedThrough(), Math::max);
    } else if (event instanceof DemandEvent.TableObserved observed) {
      DemandEvent.TableObserved before = log.observed;
      if (before == null || before.version() <= observed.version()) {
        log.observed = observed;
      }
    }
  }

  private void publish(PublishEvent event, long at) {
    UnitStory unit = chronicle.unit(event.attempt().unit().sequence());
    if (event instanceof PublishEvent.TurnTaken taken) {
      chronicle.turn(taken.turn()).takenAt = at;
    } else if (event instanceof PublishEvent.UnitPublished published) {
      published(unit, published, at);
    } else if (event instanceof PublishEvent.PublishRefused refused) {
      refused(unit, refused, at);
    } else if (event instanceof PublishEvent.UnitFailed failed) {
      Chronicle.ended(unit, "failed: " + failed.code(), at);
      endTurnOf(unit, "failed: " + failed.code(), at);
    } else if (event instanceof PublishEvent.UnitNoOp) {
      Chronicle.ended(unit, "nothing to do", at);
      endTurnOf(unit, "nothing to do", at);
    } else if (event instanceof PublishEvent.HeadObserved head) {
      headObserved(head, at);
    }
  }

  private void published(UnitStory unit, PublishEvent.UnitPublished event, long at) {
    Chronicle.ended(unit, PUBLISHED, at);
    unit.rows = event.rows();
    if (event.turn() > 0) {
      Chronicle.ended(chronicle.turn(event.turn()), PUBLISHED, at);
    }
    for (long version : event.versions()) {
      version(version, event.turn());
    }
    merged(event.mergedThrough());
  }

  private void refused(UnitStory unit, PublishEvent.PublishRefused event, long at) {
    String outcome = "refused: " + event.code();
    Chronicle.ended(chronicle.turn(event.turn()), outcome, at);
    // A unit that only lost its turn keeps its files and waits for another.
    if (!FailureCode.of(event.code()).endsOnlyTheTurn()) {
      Chronicle.ended(unit, outcome, at);
    }
  }

  /** What was committed and never reported by its worker is learnt here. */
  private void headObserved(PublishEvent.HeadObserved head, long at) {
    merged(head.mergedThrough());
    if (head.turn() > 0) {
      version(head.version(), head.turn());
    }
    if (head.unit() > 0 && head.unit() != head.attempt().unit().sequence()) {
      Chronicle.ended(chronicle.unit(head.unit()), PUBLISHED, at);
      Chronicle.ended(chronicle.turn(head.turn()), PUBLISHED, at);
    }
    Chronicle.Log log = chronicle.log();
    log.newestVersion = Math.max(log.newestVersion, head.version());
  }

  private void endTurnOf(UnitStory unit, String outcome, long at) {
    if (unit.turn > 0) {
      Chronicle.ended(chronicle.turn(unit.turn), outcome, at);
    }
  }

  private void version(long version, long turn) {
    Chronicle.Log log = chronicle.log();
    log.turnOfVersion.putIfAbsent(version, turn);
    log.newestVersion = Math.max(log.newestVersion, version);
  }

  private void merged(SortedMap<ShardId, Long> marks) {
    marks.forEach(
        (shard, mark) -> chronicle.log().mergedThrough.merge(shard.value(), mark, Math::max));
  }
}
