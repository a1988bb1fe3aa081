package io.turnkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolDecision.DeclareExecutorLost;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import io.turnkeeper.core.pool.PoolDecision.ProbeExecutor;
import io.turnkeeper.core.pool.PoolDecision.RefusePlacement;
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolScenariosTest extends PoolScenario {
  @Test
  void aUnitIsPlacedWhereASlotAndMemoryAreFree() {
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(request(unit("a"), 3, 1, 60 * MIB)).hasSize(1);
    assertThat(state.reservedBytes(ONE)).isEqualTo(60 * MIB);
    assertThat(request(unit("b"), 3, 1, 60 * MIB)).isEmpty();
    List<PoolDecision> freed = given(new ReservationEnded(POOL, unit("a"), 1));
    assertThat(freed).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void reservationsNeverExceedWhatTheExecutorHas() {
    heartbeat(ONE, 1, 100 * MIB);
    for (int i = 0; i < 50; i++) {
      request(unit("t" + i), 3, 1, 30 * MIB);
      assertThat(state.reservedBytes(ONE)).isLessThanOrEqualTo(100 * MIB);
    }
  }

  @Test
  void theUrgentGoFirstAndAmongThemTheOldest() {
    request(unit("upkeep"), 4, 900, MIB);
    request(unit("young"), 1, 200, MIB);
    request(unit("old"), 1, 100, MIB);
    List<PoolDecision> placed = heartbeat(ONE, 1, 2 * MIB);
    assertThat(placed)
        .extracting(decision -> ((PlaceUnit) decision).attempt().table().value())
        .containsExactly("old", "young");
  }

  @Test
  void aWaitingUnitKnowsHowManyAreServedBeforeIt() {
    request(unit("upkeep"), 4, 900, 7 * MIB);
    request(unit("young"), 1, 200, MIB);
    request(unit("old"), 1, 100, MIB);
    assertThat(Waiting.of(unit("old"), state)).isEqualTo(new Waiting(0, MIB));
    assertThat(Waiting.of(unit("young"), state)).isEqualTo(new Waiting(1, MIB));
    assertThat(Waiting.of(unit("upkeep"), state)).isEqualTo(new Waiting(2, 7 * MIB));
    assertThat(Waiting.of(unit("unheard-of"), state)).isNull();
  }

  @Test
  void theLeastLoadedExecutorIsPreferred() {
    heartbeat(ONE, 1, 100 * MIB);
    heartbeat(TWO, 1, 100 * MIB);
    request(unit("a"), 3, 1, 10 * MIB);
    request(unit("b"), 3, 1, 10 * MIB);
    assertThat(state.reservedBytes(ONE)).isEqualTo(10 * MIB);
    assertThat(state.reservedBytes(TWO)).isEqualTo(10 * MIB);
  }

  @Test
  void aUnitTooBigForEverybodyIsRefusedAndBlocksNobody() {
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(request(unit("huge"), 1, 1, 200 * MIB))
        .singleElement()
        .isInstanceOf(RefusePlacement.class);
    assertThat(request(unit("small"), 4, 1, MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void whoWasTooBigForEverybodyMayAskAgainAsSoonAsSomebodyBigEnoughJoins() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("huge"), 1, 1, 200 * MIB);
    request(unit("huger"), 1, 1, 300 * MIB);
    assertThat(heartbeat(ONE, 1, 100 * MIB)).isEmpty();
    assertThat(heartbeat(TWO, 1, 250 * MIB))
        .containsExactly(new RefusePlacement(POOL, unit("huge"), 1, PlacementRefused.ASK_AGAIN));
    assertThat(heartbeat(TWO, 1, 250 * MIB)).as("once").isEmpty();
    assertThat(heartbeat(TWO, 1, 300 * MIB))
        .containsExactly(new RefusePlacement(POOL, unit("huger"), 1, PlacementRefused.ASK_AGAIN));
    assertThat(state.refused()).isEmpty();
  }

  @Test
  void whoRunsAnotherKindOrNothingIsNobodyBigEnough() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("huge"), 1, 1, 200 * MIB);
    assertThat(given(new ExecutorGone(POOL, ONE, 1))).isEmpty();
    assertThat(given(beat(TWO, 1, 300 * MIB, false, 0))).isEmpty();
    assertThat(given(beat(TWO, 1, 300 * MIB, false, 1))).hasSize(1);
  }

  @Test
  void ofATableAndKindOnlyTheLastRefusalIsKept() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("huge"), 1, 1, 200 * MIB);
    request(new UnitId(new TableId("huge"), 2), 1, 1, 150 * MIB);
    assertThat(state.refused()).hasSize(1);
    request(new UnitId(new TableId("huge"), 3), 1, 1, 50 * MIB);
    assertThat(state.refused()).isEmpty();
  }

  @Test
  void aBigUrgentUnitHoldsOneExecutorBackUntilItFits() {
    heartbeat(ONE, 1, 100 * MIB);
    heartbeat(TWO, 1, 100 * MIB);
    request(unit("a"), 3, 1, 40 * MIB);
    request(unit("b"), 3, 1, 40 * MIB);
    request(unit("big"), 1, 1, 90 * MIB);
    // One of the two is kept free for it; small work goes on beside it, on the other.
    for (int i = 0; i < 10; i++) {
      request(unit("small" + i), 3, 1, 10 * MIB);
    }
    assertThat(List.of(state.reservedBytes(ONE), state.reservedBytes(TWO)))
        .containsExactlyInAnyOrder(40 * MIB, 100 * MIB);
    boolean oneIsHeldBack = state.reservedBytes(ONE) == 40 * MIB;
    List<PoolDecision> freed =
        given(new ReservationEnded(POOL, unit(oneIsHeldBack ? "a" : "b"), 1));
    assertThat(freed)
        .first()
        .satisfies(
            decision -> assertThat(((PlaceUnit) decision).attempt().unit()).isEqualTo(unit("big")));
  }

  @Test
  void anUrgentUnitThatFitsOnlyWhereAnotherIsWaitedForHasASecondExecutorKeptForIt() {
    heartbeat(ONE, 1, 100 * MIB);
    heartbeat(TWO, 1, 50 * MIB);
    request(unit("a"), 3, 1, 50 * MIB);
    request(unit("b"), 3, 1, 10 * MIB);
    request(unit("big"), 1, 1, 60 * MIB);
    // What is free on the first executor would do, but it is kept for the bigger and older one.
    assertThat(request(unit("second"), 1, 2, 50 * MIB)).isEmpty();
    assertThat(request(unit("small"), 3, 1, 10 * MIB)).isEmpty();
    assertThat(given(new ReservationEnded(POOL, unit("b"), 1)))
        .singleElement()
        .satisfies(one -> assertThat(((PlaceUnit) one).attempt().unit()).isEqualTo(unit("second")));
  }

  @Test
  void aNewIncarnationEndsWhatTheOldOneRan() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    List<PoolDecision> decisions = heartbeat(ONE, 2, 100 * MIB);
    assertThat(decisions)
        .singleElement()
        .isEqualTo(new DeclareExecutorLost(POOL, ONE, 1, List.of(unit("a")), false));
    assertThat(state.reservedBytes(ONE)).isZero();
  }

  @Test
  void theEndOfAPlaceLeavesThePlaceThatTheSameAttemptWasGivenSince() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    heartbeat(ONE, 2, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    given(new ReservationEnded(POOL, unit("a"), 1, ONE, 1));
    assertThat(state.reservedBytes(ONE)).isEqualTo(60 * MIB);
    given(new ReservationEnded(POOL, unit("a"), 1, TWO, 2));
    assertThat(state.reservedBytes(ONE)).isEqualTo(60 * MIB);
    given(new ReservationEnded(POOL, unit("a"), 1, ONE, 2));
    assertThat(state.reservedBytes(ONE)).isZero();
  }

  @Test
  void theEndOfAPlaceTakesNoRequestBack() {
    request(unit("a"), 3, 1, 60 * MIB);
    given(new ReservationEnded(POOL, unit("a"), 1, ONE, 1));
    assertThat(state.requests()).isNotEmpty();
    given(new ReservationEnded(POOL, unit("a"), 1));
    assertThat(state.requests()).isEmpty();
  }

  @Test
  void aSilentExecutorIsProbedBeforeItIsLostAndKeepsItsReservations() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    assertThat(after(15_000)).singleElement().isInstanceOf(ProbeExecutor.class);
    assertThat(given(new ExecutorProbe(POOL, ONE, 1)))
        .singleElement()
        .isInstanceOf(DeclareExecutorLost.class);
    assertThat(state.reservedBytes(ONE)).isEqualTo(60 * MIB);
    assertThat(request(unit("b"), 3, 1, MIB)).isEmpty();
    // It comes back and does not name the unit: it may not have read its orders yet.
    assertThat(heartbeat(ONE, 1, 100 * MIB)).singleElement().isInstanceOf(PlaceUnit.class);
    assertThat(state.reservedBytes(ONE)).isEqualTo(61 * MIB);
    assertThat(request(unit("c"), 3, 1, 60 * MIB)).isEmpty();
    assertThat(given(new ReservationEnded(POOL, unit("a"), 1)))
        .singleElement()
        .isInstanceOf(PlaceUnit.class);
  }

  @Test
  void aHeartbeatBeforeTheProbeSavesTheExecutor() {
    heartbeat(ONE, 1, 100 * MIB);
    after(15_000);
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(given(new ExecutorProbe(POOL, ONE, 1))).isEmpty();
  }

  @Test
  void aReservationTheHeartbeatNamedAndNamesNoMoreIsOver() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(state.reservedBytes(ONE)).as("may still be on its way").isEqualTo(60 * MIB);
    for (int beats = 0; beats < 3; beats++) {
      heartbeat(ONE, 1, 100 * MIB, new LiveUnit(unit("a"), 1));
      assertThat(state.reservedBytes(ONE)).as("it runs").isEqualTo(60 * MIB);
    }
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(state.reservedBytes(ONE)).isZero();
  }

  @Test
  void anExecutorThatLeftRunsNothing() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    assertThat(given(new ExecutorGone(POOL, ONE, 1)))
        .singleElement()
        .isInstanceOf(DeclareExecutorLost.class);
    assertThat(request(unit("b"), 3, 1, MIB)).isEmpty();
  }

  @Test
  void noUnitIsPlacedOnAnExecutorWhoseHeartbeatIsStale() {
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(after(15_000)).singleElement().isInstanceOf(ProbeExecutor.class);
    assertThat(request(unit("a"), 1, 1, MIB)).isEmpty();
    assertThat(heartbeat(ONE, 1, 100 * MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void aDrainingExecutorGetsNothingNew() {
    state = beat(ONE, 1, 100 * MIB, true, 8).applyTo(state, now());
    assertThat(request(unit("a"), 1, 1, MIB)).isEmpty();
  }

  @Test
  void anExecutorIsGivenSoManyUnitsAMinute() {
    settings = limited(2, Long.MAX_VALUE >> 10);
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, MIB);
    request(unit("b"), 3, 1, MIB);
    assertThat(request(unit("c"), 3, 1, MIB)).isEmpty();
    long wait = PoolRules.nextDueMillis(state, settings, now()) - now().atMillis();
    assertThat(wait).isBetween(1L, 60_000L);
    observedMillis += 45_000;
    heartbeat(ONE, 1, 100 * MIB);
    observedMillis += 14_999;
    assertThat(heartbeat(ONE, 1, 100 * MIB)).isEmpty();
    assertThat(after(1)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void thePoolReservesOnlySoManyBytesInFlight() {
    settings = limited(600, 50 * MIB);
    heartbeat(ONE, 1, 100 * MIB);
    heartbeat(TWO, 1, 100 * MIB);
    request(unit("a"), 3, 1, 40 * MIB);
    assertThat(request(unit("b"), 3, 1, 40 * MIB)).isEmpty();
    assertThat(request(unit("c"), 3, 1, 10 * MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void aWarmExecutorIsPreferredToTheLeastLoadedOne() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 40 * MIB);
    heartbeat(TWO, 1, 100 * MIB);
    request(new UnitId(new TableId("a"), 2), 3, 1, 10 * MIB);
    assertThat(state.reservedBytes(ONE)).isEqualTo(50 * MIB);
    heartbeat(ONE, 2, 100 * MIB);
    request(new UnitId(new TableId("a"), 3), 3, 1, 10 * MIB);
    request(new UnitId(new TableId("a"), 4), 3, 1, 10 * MIB);
    assertThat(state.reservedBytes(ONE)).as("a new start has cold caches").isEqualTo(20 * MIB);
  }

  @Test
  void immuneTo39OneKindsFullSlotsNeverDelayAnotherKind() {
    state = beat(ONE, 1, 100 * MIB, false, 1).applyTo(state, now());
    request(unit("running"), 3, 1, MIB);
    for (int i = 0; i < 20; i++) {
      request(unit("urgent" + i), 1, 1, MIB);
    }
    assertThat(requestCompaction("idle")).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void immuneTo01NoMergeSlotsAndManyMergesLeaveCompactionAlone() {
    state = beat(ONE, 1, 100 * MIB, false, 0).applyTo(state, now());
    for (int i = 0; i < 300; i++) {
      request(unit("merge" + i), 1, 1, MIB);
    }
    assertThat(requestCompaction("idle")).singleElement().isInstanceOf(PlaceUnit.class);
    assertThat(state.reservations()).hasSize(1);
  }

  @Test
  void immuneTo08UnitsNeverExceedTheSlotsOfAnExecutor() {
    state = beat(ONE, 1, 100 * MIB, false, 3).applyTo(state, now());
    for (int i = 0; i < 24; i++) {
      request(unit("t" + i), 3, 1, MIB);
    }
    assertThat(state.usedSlots(ONE, Kind.MERGE_WAL)).isEqualTo(3);
  }
}
