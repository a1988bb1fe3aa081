package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.Kind.REPAIR;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several ready kinds gets the next turn. */
class TurnOrderTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);

  @Test
  void theClassDecidesBeforeTheWait() {
    Scenario scenario = allReadyBehindACompaction(1_000);
    scenario.published(COMPACT, 3).expectNextTurn(MERGE_WAL, "class 1, ready for 0 ms");
  }

  @Test
  void inOneClassTheLongestReadyIsFirst() {
    Scenario scenario = allReadyBehindACompaction(8);
    scenario.published(COMPACT, 3).expectNextTurn(INDEX, "class 2, ready for 1000 ms");
  }

  @Test
  void amongThePromotedTheLongestRequestedIsFirst() {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 40, 10).prepare(COMPACT, 1L);
    scenario.taken(COMPACT).sealed(SHARD, 8).prepare(INDEX, 2L).after(1_000).prepare(MERGE_WAL);
    for (int report = 1; report <= 16; report++) {
      scenario.after(59_000);
    }
    assertThat(scenario.unit(INDEX).requestedAtMillis())
        .isEqualTo(scenario.unit(MERGE_WAL).requestedAtMillis());
    scenario.published(COMPACT, 3).expectNextTurn(MERGE_WAL, "class 1");
  }

  @Test
  void aUnitWhoseTurnWasLostGoesBehindThoseThatWaitedLonger() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 1_000).observed(2, 80, 10);
    scenario.prepare(MERGE_WAL).prepare(COMPACT, 1L).prepare(INDEX, 2L);
    scenario.after(1).refused(MERGE_WAL, "TURN_LOST").expectNextTurn(COMPACT, "class 2");
    scenario.taken(COMPACT).after(2_000).published(COMPACT, 3);
    scenario.expectNextTurn(INDEX, "the last turn of MERGE_WAL came to nothing");
    scenario.taken(INDEX).published(INDEX, 4).expectNextTurn(MERGE_WAL, "class 1");
  }

  @Test
  void aUnitThatDidNotTakeItsTurnGoesBehindThoseThatWaitedLonger() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 1_000).observed(2, 0, 10);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 2L).after(5_000).probeReturned(MERGE_WAL);
    scenario.expectNextTurn(INDEX, "the last turn of MERGE_WAL came to nothing");
  }

  @Test
  void aFailureThatCostNoTurnPutsNobodyBehind() {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 40, 10).sealed(SHARD, 1_000);
    scenario.placed(MERGE_WAL).claimed(MERGE_WAL).failed(MERGE_WAL, "IO");
    scenario.prepare(COMPACT, 1L).taken(COMPACT).prepare(INDEX, 2L).after(2_000);
    scenario.prepare(MERGE_WAL).published(COMPACT, 3).expectNextTurn(MERGE_WAL, "class 1");
  }

  @Test
  void aRepairIsNobodysShareAndDoesNotInterruptARow() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 1_000);
    for (long version = 2; version < 4; version++) {
      scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, version);
    }
    scenario.looked(4, 0, 1, scenario.atMillis()).placed(REPAIR).claimed(REPAIR).taken(REPAIR);
    scenario.prepare(MERGE_WAL).after(1_000).prepare(INDEX, 2L).published(REPAIR, 5);
    scenario.expectNextTurn(INDEX, "max-consecutive-turns: MERGE_WAL has had 2");
  }

  @Test
  void whileALostTurnIsFoundOutNobodyElseGetsOne() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 1_000).observed(2, 0, 10);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 2L).taken(MERGE_WAL);
    scenario.after(60_000).probeReturned(MERGE_WAL).expect(UnitDecision.ExpireTurn.class);
    scenario.expectNone(Assignment.GrantTurn.class);
    assertThat(scenario.whyNot(INDEX))
        .isEqualTo(new WhyNot.WaitingForTurn(scenario.unit(INDEX).id(), null, 1));
    scenario.placed(OBSERVE).claimed(OBSERVE).expectNextTurn(OBSERVE, "class 0");
  }

  @Test
  void aLostTurnThatCameToNothingIsInTheLedgerAndWaits() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.after(60_000).probeReturned(MERGE_WAL).placed(OBSERVE).claimed(OBSERVE);
    scenario.head(1, 0, 0, 0, 2);
    scenario.given(
        new PublishEvent.UnitPublished(
            scenario.attempt(OBSERVE), 2, List.of(), Collections.emptySortedMap(), 0, 0, 0));
    scenario.expectNone(Assignment.GrantTurn.class);
    assertThat(scenario.whyNot(MERGE_WAL))
        .isEqualTo(new WhyNot.Cooldown("TURN_LOST", scenario.atMillis() + 2_000));
    scenario.after(2_000).expectNextTurn(MERGE_WAL, "");
  }

  /** A compaction has the turn, an index waits for a second, a merge has just become ready. */
  private static Scenario allReadyBehindACompaction(long pending) {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 40, 10).prepare(COMPACT, 1L);
    scenario.taken(COMPACT).prepare(INDEX, 2L).after(1_000).sealed(SHARD, pending);
    return scenario.prepare(MERGE_WAL).expectNone(Assignment.GrantTurn.class);
  }
}
