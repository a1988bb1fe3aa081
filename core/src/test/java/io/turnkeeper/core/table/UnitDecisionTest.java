package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.TableState.Released;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnitDecisionTest {
  private static final TableId TABLE = new TableId("flights");
  private static final UnitId UNIT = new UnitId(TABLE, 3);
  private static final PoolId POOL = new PoolId("default");
  private static final ExecutorId ONE = new ExecutorId("one");
  private static final Now NOW = new Now(1_800_000_000_000L, 0);

  @Test
  void anEndedPlaceIsThatOfItsUnitAttemptPoolExecutorAndIncarnation() {
    List<Released> others =
        List.of(
            new Released(new UnitId(TABLE, 4), 2, POOL, ONE, 7),
            new Released(UNIT, 1, POOL, ONE, 7),
            new Released(UNIT, 2, new PoolId("other"), ONE, 7),
            new Released(UNIT, 2, POOL, new ExecutorId("two"), 7),
            new Released(UNIT, 2, POOL, ONE, 8));
    for (Released other : others) {
      assertThat(leftOf(other, ONE, 7)).as("%s is another", other).containsExactly(other);
    }
    Released meant = new Released(UNIT, 2, POOL, ONE, 7);
    assertThat(leftOf(meant, ONE, 7)).isEmpty();
    assertThat(leftOf(meant, null, 0)).as("an end that names no executor is of any").isEmpty();
  }

  private static List<Released> leftOf(
      Released released, @Nullable ExecutorId executor, long incarnation) {
    TableState before = TableState.unknown(TABLE).edit(draft -> draft.released = List.of(released));
    return new UnitDecision.EndReservation(UNIT, 2, POOL, executor, incarnation)
        .applyTo(before, NOW)
        .released();
  }
}
