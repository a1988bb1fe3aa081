package io.turnkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolDecision.DeclareExecutorLost;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A pool at its borders, and incidents it must not have. */
class PoolBordersTest extends PoolScenario {
  @Test
  void immuneTo02AHungRetirementDelaysNobody() {
    state = beatOf(ONE, Map.of(Kind.RETIRE, 1, Kind.MERGE_WAL, 2)).applyTo(state, now());
    given(new PlacementRequested(POOL, unit("hung"), 1, Kind.RETIRE, 5, 1.0, 1, MIB));
    observedMillis += 14_000;
    state = beatOf(ONE, Map.of(Kind.RETIRE, 1, Kind.MERGE_WAL, 2)).applyTo(state, now());
    assertThat(request(unit("a"), 3, 1, MIB)).singleElement().isInstanceOf(PlaceUnit.class);
    assertThat(request(unit("b"), 3, 1, MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void whatOneReservationLeavesInFlightOnAnExecutorIsStillCounted() {
    settings = limited(600, 50 * MIB);
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 30 * MIB);
    request(unit("b"), 3, 1, 10 * MIB);
    given(new ReservationEnded(POOL, unit("a"), 1));
    assertThat(state.loads().bytes()).isEqualTo(10 * MIB);
    assertThat(request(unit("c"), 3, 1, 45 * MIB)).isEmpty();
  }

  @Test
  void theReasonOfAProbeSaysHowLongTheExecutorWasSilent() {
    heartbeat(ONE, 1, 100 * MIB);
    observedMillis += 15_000;
    assertThat(PoolRules.decide(state, settings, now()))
        .singleElement()
        .returns("silent for 15000 ms", Decided::reason);
  }

  @Test
  void aHeartbeatWithLessThanNoSlotsIsRefused() {
    assertThatThrownBy(() -> beatOf(ONE, Map.of(Kind.MERGE_WAL, -1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slots of MERGE_WAL");
  }

  @Test
  void immuneTo15TheNextTableIsPlacedAtOnceHoweverManyBiggerOnesAreInFlight() {
    state = beat(ONE, 1, 1_000 * MIB, false, 300).applyTo(state, now());
    for (int i = 0; i < 256; i++) {
      request(unit("bigger" + i), 1, 1, 3 * MIB);
    }
    assertThat(request(unit("next"), 4, 900, MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void immuneTo58NothingStartsOnAnExecutorThatDrains() {
    state = beat(ONE, 1, 100 * MIB, false, 1).applyTo(state, now());
    request(unit("running"), 3, 1, MIB);
    request(unit("waiting"), 1, 1, MIB);
    state = beat(ONE, 1, 100 * MIB, true, 1).applyTo(state, now());
    assertThat(given(new ReservationEnded(POOL, unit("running"), 1))).isEmpty();
  }

  @Test
  void immuneTo74ACrashedWorkerReturnsItsSlotsWithItsNextStart() {
    state = beat(ONE, 1, 100 * MIB, false, 1).applyTo(state, now());
    request(unit("lost"), 3, 1, 90 * MIB);
    request(unit("next"), 3, 1, 90 * MIB);
    assertThat(given(beat(ONE, 2, 100 * MIB, false, 1)))
        .extracting(Object::getClass)
        .containsExactly(DeclareExecutorLost.class, PlaceUnit.class);
    assertThat(state.usedSlots(ONE, Kind.MERGE_WAL)).isEqualTo(1);
  }

  @Test
  void aHeartbeatKeepsTheCachesAStartEmptiesThem() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, MIB);
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(state.executor(ONE).warm()).containsExactly(new TableId("a"));
    heartbeat(ONE, 2, 100 * MIB);
    assertThat(state.executor(ONE).warm()).isEmpty();
  }

  @Test
  void bytesInFlightAreCountedWithinOnePass() {
    settings = limited(600, 50 * MIB);
    request(unit("a"), 3, 1, 40 * MIB);
    request(unit("b"), 3, 1, 40 * MIB);
    assertThat(heartbeat(ONE, 1, 100 * MIB)).hasSize(1);
  }

  @Test
  void anExecutorAsLargeAsTheUnitIsHeldBackForIt() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("small"), 3, 1, MIB);
    request(unit("big"), 1, 1, 100 * MIB);
    assertThat(request(unit("more"), 3, 1, MIB)).isEmpty();
  }

  @Test
  void whoWasGivenNothingHasNoMinuteToWaitFor() {
    settings =
        new Settings(30_000, 5_000, 2_000, 100_000, 6, Long.MAX_VALUE >> 10, List.of(), List.of());
    state = beatOf(ONE, Map.of(Kind.COMPACT, 1)).applyTo(state, now());
    request(unit("a"), 3, 1, MIB);
    observedMillis += 54_000; // In a minute of which 5 s were left.
    assertThat(dueIn()).isEqualTo(10_000);
    observedMillis += 41_000;
    assertThat(dueIn()).isEqualTo(5_000);
  }

  @Test
  void anEarlierStartCannotSpeakOrLeaveForALaterOne() {
    heartbeat(ONE, 2, 100 * MIB);
    heartbeat(ONE, 1, 7 * MIB);
    assertThat(state.executor(ONE).bytesTotal()).isEqualTo(100 * MIB);
    given(new ExecutorGone(POOL, ONE, 1));
    assertThat(state.executors()).containsOnlyKeys(ONE);
    given(new ExecutorProbe(POOL, ONE, 2));
    assertThat(state.executor(ONE).confirmedSilent()).as("nobody asked").isFalse();
  }

  @Test
  void anExecutorThatLeavesLeavesTheOthersAlone() {
    heartbeat(ONE, 1, 100 * MIB);
    heartbeat(TWO, 1, 100 * MIB);
    request(unit("a"), 3, 1, 10 * MIB);
    request(unit("b"), 3, 1, 10 * MIB);
    assertThat(given(new ExecutorGone(POOL, ONE, 1)))
        .containsExactly(new DeclareExecutorLost(POOL, ONE, 1, List.of(unit("a")), false));
    assertThat(state.reservedBytes(TWO)).isEqualTo(10 * MIB);
    assertThat(state.reservations()).hasSize(1);
  }

  @Test
  void aSilentExecutorThatHoldsNothingIsForgotten() {
    heartbeat(ONE, 1, 100 * MIB);
    after(15_000);
    given(new ExecutorProbe(POOL, ONE, 1));
    assertThat(state.executors()).isEmpty();
  }

  @Test
  void reasonsSayWhyAnExecutorWasChosenOrGivenUp() {
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(reasonOf(requested("a", 1)))
        .isEqualTo("least loaded with a free slot for MERGE_WAL");
    given(requested("a", 1));
    assertThat(reasonOf(requested("a", 2))).isEqualTo("has the table in its caches");
    assertThat(reasonOf(beat(ONE, 2, MIB, false, 1))).isEqualTo("the executor was started anew");
    assertThat(reasonOf(new ExecutorGone(POOL, ONE, 1))).isEqualTo("the executor left");
  }

  @Test
  void onlySixteenTablesAreThoughtToBeWarmTheNewestFirst() {
    heartbeat(ONE, 1, 1_000 * MIB);
    for (int i = 0; i < 17; i++) {
      request(unit("t" + i), 3, 1, MIB);
      given(new ReservationEnded(POOL, unit("t" + i), 1));
    }
    assertThat(state.executor(ONE).warm())
        .hasSize(16)
        .startsWith(new TableId("t16"))
        .doesNotContain(new TableId("t0"));
    request(new UnitId(new TableId("t10"), 2), 3, 1, MIB);
    assertThat(state.executor(ONE).warm())
        .hasSize(16)
        .startsWith(new TableId("t10"), new TableId("t16"))
        .doesNotHaveDuplicates();
  }

  @Test
  void anExecutorsMinuteBeginsWithItsFirstUnitAndSurvivesItsRestart() {
    settings = limited(2, Long.MAX_VALUE >> 10);
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, MIB);
    observedMillis += 10_000;
    request(unit("b"), 3, 1, MIB);
    assertThat(state.executor(ONE).minuteMillis()).isEqualTo(1_000);
    assertThat(state.executor(ONE).placedInMinute()).isEqualTo(2);
    heartbeat(ONE, 2, 100 * MIB);
    assertThat(state.executor(ONE).placedInMinute()).isEqualTo(2);
    assertThat(request(unit("c"), 3, 1, MIB)).isEmpty();
    observedMillis += 50_000;
    heartbeat(ONE, 2, 100 * MIB);
    assertThat(state.executor(ONE).minuteMillis()).isEqualTo(observedMillis);
    assertThat(state.executor(ONE).placedInMinute()).isEqualTo(1);
  }

  @Test
  void aPoolIsLookedAtAgainWhenSilenceOrAFullMinuteEnds() {
    assertThat(dueIn()).isEqualTo(PoolRules.NEVER - observedMillis - 500);
    heartbeat(ONE, 1, 100 * MIB);
    assertThat(dueIn()).as("observed time needs entries to pass").isEqualTo(10_000);
    observedMillis += 10_000;
    assertThat(dueIn()).isEqualTo(5_000);
    after(5_000);
    assertThat(dueIn()).as("the probe is under way").isEqualTo(PoolRules.NEVER - now().atMillis());
    settings = limited(1, Long.MAX_VALUE >> 10);
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, MIB);
    observedMillis += 52_000;
    state = beat(ONE, 1, 100 * MIB, true, 1).applyTo(state, now());
    assertThat(dueIn()).as("nobody waits").isEqualTo(10_000);
    request(unit("b"), 3, 1, MIB);
    assertThat(dueIn()).isEqualTo(8_000);
    observedMillis += 8_000;
    assertThat(dueIn()).as("the minute is over").isEqualTo(7_000);
  }

  @Test
  void aLostExecutorIsNotWaitedForUntilItIsForgotten() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, MIB);
    after(15_000);
    given(new ExecutorProbe(POOL, ONE, 1));
    assertThat(state.executor(ONE).lost()).isTrue();
    after(DAY - 15_000 - 7_000);
    assertThat(dueIn()).isEqualTo(7_000);
    after(7_000);
    after(13 * DAY - 3_000);
    assertThat(dueIn()).as("until nobody need know it").isEqualTo(3_000);
  }
}
