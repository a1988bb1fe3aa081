package io.turnkeeper.simulation.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolRules;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.simulation.world.Violation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlacementCheckTest {
  private static final PoolId POOL = new PoolId("default");
  private static final long MIB = 1L << 20;
  private static final int URGENT = 1;
  private static final int DUE = 3;
  private static final Now NOW = new Now(1_000, 1_000);

  private final PlacementCheck check = new PlacementCheck();
  private PoolState state = PoolState.empty(POOL);

  @Test
  void twoExecutorsMayBeKeptFreeThoughOneOfThemHasRoomForTheSecondUrgentUnit() {
    keepTwoFree();
    assertThatCode(this::rested).doesNotThrowAnyException();
  }

  @Test
  void moreThanTheUrgentNeedIsNotKeptFree() {
    keepTwoFree();
    decide(beat("three", 50));
    fold(request("small", DUE, 3, 10));
    assertThatThrownBy(this::rested)
        .isInstanceOf(Violation.class)
        .hasMessageContaining("what fits is placed in the same cycle");
  }

  @Test
  void nothingIsKeptFreeForWhatIsNotUrgent() {
    decide(beat("one", 50));
    fold(request("large", DUE, 1, 60));
    fold(request("small", DUE, 2, 10));
    assertThatThrownBy(this::rested)
        .isInstanceOf(Violation.class)
        .hasMessageContaining("what fits is placed in the same cycle");
  }

  private void keepTwoFree() {
    decide(beat("one", 100));
    decide(beat("two", 50));
    decide(request("a", DUE, 1, 50));
    decide(request("b", DUE, 1, 10));
    decide(request("big", URGENT, 1, 60));
    decide(request("second", URGENT, 2, 50));
    decide(request("upkeep", DUE, 1, 10));
  }

  private void rested() {
    check.rested(state, PartitionState.START);
  }

  private void fold(PoolEvent event) {
    state = event.applyTo(state, NOW);
  }

  private void decide(PoolEvent event) {
    fold(event);
    for (Decided<PoolDecision> decided : PoolRules.decide(state, Settings.DEFAULT, NOW)) {
      state = decided.decision().applyTo(state, NOW);
    }
  }

  private static PlacementRequested request(
      String table, int rank, long waitSinceMillis, long mebibytes) {
    return new PlacementRequested(
        POOL,
        new UnitId(new TableId(table), 1),
        1,
        Kind.MERGE_WAL,
        rank,
        1,
        waitSinceMillis,
        mebibytes * MIB);
  }

  private static ExecutorHeartbeat beat(String executor, long mebibytes) {
    return new ExecutorHeartbeat(
        POOL,
        new ExecutorId(executor),
        1,
        new TreeMap<>(Map.of(Kind.MERGE_WAL, 8)),
        mebibytes * MIB,
        false,
        "test",
        new TreeMap<>(),
        List.of());
  }
}
