package io.turnkeeper.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.TableState;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many seeded lives of a small fleet, with everything going wrong that can go wrong. */
class SchedulerSimulation {
  private static final int FIRST_SEED = Integer.getInteger("simulation.seed", 0);
  private static final int SEEDS = Integer.getInteger("simulation.seeds", 200);
  private static final int DISTURBANCES = 150;
  private static final long CALM_MILLIS = 1_800_000;

  static LongStream seeds() {
    return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingIsLostDoubledOrStuck(long seed) {
    SimWorld world = new SimWorld(seed, 3, 2);
    for (int i = 0; i < DISTURBANCES; i++) {
      world.disturb();
      world.run(world.random(3_000));
    }
    world.run(CALM_MILLIS);
    for (int i = 0; i < 60 && !world.isQuiet(); i++) {
      world.run(1_000); // A look at the table is due now and then.
    }
    for (SimTable table : world.tables().values()) {
      try {
        expectDrained(world, table);
      } catch (AssertionError e) {
        List<String> trace = world.scheduler().trace(table.id().value());
        throw new AssertionError(
            "seed "
                + seed
                + ", "
                + table.id()
                + ", the last of "
                + trace.size()
                + " steps:\n"
                + String.join("\n", trace.subList(Math.max(0, trace.size() - 60), trace.size())),
            e);
      }
    }
  }

  /** All that was sealed and said is merged once, and what was wanted was published. */
  private static void expectDrained(SimWorld world, SimTable table) {
    TableState state = world.scheduler().state(table.id());
    table
        .sealed()
        .forEach(
            (shard, through) -> {
              long known = state.shard(shard).sealedThrough();
              assertThat(table.authority().mergedThrough(shard))
                  .as("generations of " + table.id() + "/" + shard + " that were announced")
                  .isGreaterThanOrEqualTo(known - 7);
              expectOnce(table, shard);
            });
    assertThat(state.turns().open()).as("no turn is left open: " + state).isNull();
    assertThat(state.turns().unresolved()).as("no turn is left unresolved").isNull();
    assertThat(state.units()).as("nothing is left running").isEmpty();
    assertThat(table.isIndexed() || table.authority().versions().isEmpty())
        .as("the wanted index was published: " + state)
        .isTrue();
    assertThat(world.scheduler().pool().reservations()).as("nothing is left reserved").isEmpty();
  }

  private static void expectOnce(SimTable table, ShardId shard) {
    assertThat(table.authority().generationsAdded(shard))
        .isEqualTo(table.authority().mergedThrough(shard));
  }
}
