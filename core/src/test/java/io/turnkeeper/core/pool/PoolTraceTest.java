package io.turnkeeper.core.pool;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.GoldenTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PoolTraceTest {
  private static final int STEPS = 400;

  @Test
  void theSameEntriesGiveTheSameDecisionsInEveryBuild() throws IOException {
    PoolWalk walk = new PoolWalk(new Random(7));
    List<String> lines = new ArrayList<>();
    for (int step = 0; step < STEPS; step++) {
      walk.step().stream().map(Decided::toString).forEach(lines::add);
    }
    GoldenTrace.assertRecorded("pool", lines);
  }
}
