package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.GoldenTrace;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecisionTraceTest {
  private static final int STEPS = 600;

  @Test
  void immuneTo54TheSameEntriesGiveTheSameDecisionsInEveryBuild() throws IOException {
    TableWalk walk = new TableWalk(new Random(7));
    for (int step = 0; step < STEPS; step++) {
      walk.step();
    }
    List<String> lines = walk.scenario().decided().stream().map(Decided::toString).toList();
    GoldenTrace.assertRecorded("table", lines);
  }
}
