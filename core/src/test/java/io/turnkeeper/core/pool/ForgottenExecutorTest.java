package io.turnkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolDecision.DeclareExecutorLost;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of places whose executor lets go of them, dies, or never comes back. */
class ForgottenExecutorTest extends PoolScenario {
  private static final LiveUnit A = new LiveUnit(unit("a"), 1);

  @Test
  void aPlaceThatWasLetGoIsFreeAndItsTableIsToldWhenTheWorkerDiesBeforeTheRelease() {
    letGo();
    assertThat(state.reservedBytes(ONE)).isZero();
    assertThat(state.usedSlots(ONE, Kind.MERGE_WAL)).isZero();
    assertThat(state.loads().bytes()).isZero();
    assertThat(heartbeat(ONE, 2, 100 * MIB))
        .containsExactly(new DeclareExecutorLost(POOL, ONE, 1, List.of(unit("a")), false));
    assertThat(state.reservations()).isEmpty();
  }

  @Test
  void likewiseWhenTheWorkerLeaves() {
    letGo();
    assertThat(given(new ExecutorGone(POOL, ONE, 1)))
        .containsExactly(new DeclareExecutorLost(POOL, ONE, 1, List.of(unit("a")), false));
    assertThat(state.reservations()).isEmpty();
  }

  @Test
  void likewiseWhenItIsNeverHeardAgain() {
    letGo();
    fallSilent();
    assertThat(state.executor(ONE).lost()).isTrue();
    assertThat(after(DAY))
        .containsExactly(new DeclareExecutorLost(POOL, ONE, 1, List.of(unit("a")), false));
    assertThat(state.reservations()).isEmpty();
  }

  @Test
  void aReleaseAfterThePlaceWasLetGoEndsIt() {
    letGo();
    given(new ReservationEnded(POOL, unit("a"), 1));
    assertThat(state.reservations()).isEmpty();
    assertThat(heartbeat(ONE, 2, 100 * MIB)).isEmpty();
  }

  @Test
  void aPlaceThatIsNamedAgainIsTakenAgain() {
    letGo();
    heartbeat(ONE, 1, 100 * MIB, A);
    assertThat(state.reservedBytes(ONE)).isEqualTo(60 * MIB);
  }

  @Test
  void anExecutorThatIsNeverHeardAgainIsForgottenAfterADay() {
    settings = limited(600, 100 * MIB);
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    fallSilent();
    heartbeat(TWO, 1, 100 * MIB);
    assertThat(request(unit("b"), 3, 1, 60 * MIB)).as("the pool's limit").isEmpty();
    observedMillis += DAY - 15_000 - 1;
    heartbeat(TWO, 1, 100 * MIB);
    assertThat(state.reservedBytes(ONE)).isEqualTo(60 * MIB);
    assertThat(after(1))
        .first()
        .isEqualTo(new DeclareExecutorLost(POOL, ONE, 1, List.of(unit("a")), false));
    assertThat(state.reservedBytes(ONE)).isZero();
    assertThat(state.reservedBytes(TWO)).isEqualTo(60 * MIB);
  }

  @Test
  void aLostStartThatSpeaksWithinADayIsBackHoweverLongThePoolIsObserved() {
    observedMillis = 30 * DAY;
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, MIB);
    fallSilent();
    assertThat(state.executor(ONE).lost()).isTrue();
    heartbeat(ONE, 1, 100 * MIB, A);
    assertThat(request(unit("b"), 3, 1, MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void aForgottenStartGetsNothingThoughItSpeaks() {
    forget();
    request(unit("b"), 3, 1, 60 * MIB);
    assertThat(heartbeat(ONE, 1, 100 * MIB, A)).as("it still runs the old").isEmpty();
    assertThat(heartbeat(ONE, 1, 100 * MIB)).as("it has not read its orders").isEmpty();
    assertThat(heartbeat(ONE, 2, 100 * MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  @Test
  void aStartNobodyKnowsGetsNothingWhileItHoldsSomething() {
    forget();
    after(13 * DAY);
    assertThat(state.executors()).isEmpty();
    request(unit("b"), 3, 1, 60 * MIB);
    assertThat(heartbeat(ONE, 1, 100 * MIB, A)).isEmpty();
    assertThat(heartbeat(ONE, 1, 100 * MIB)).singleElement().isInstanceOf(PlaceUnit.class);
  }

  private void letGo() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    heartbeat(ONE, 1, 100 * MIB, A);
    heartbeat(ONE, 1, 100 * MIB);
  }

  private void forget() {
    heartbeat(ONE, 1, 100 * MIB);
    request(unit("a"), 3, 1, 60 * MIB);
    fallSilent();
    after(DAY - 15_000);
    assertThat(state.reservations()).isEmpty();
    assertThat(state.executors()).containsOnlyKeys(ONE);
  }

  private void fallSilent() {
    after(15_000);
    given(new ExecutorProbe(POOL, ONE, 1));
  }
}
