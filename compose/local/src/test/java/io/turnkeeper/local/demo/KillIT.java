package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.verify.Verdict;
import io.turnkeeper.worker.UnitStep;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends the whole process without warning after each step of a unit's life, starts it again on the
 * same data and verifies the table. Each start recovers from one end and runs into the next.
 */
class KillIT {
  /** Long: this is about recovery, and a loaded machine may take a client's whole timeout twice. */
  private static final Duration UP = Duration.ofMinutes(3);

  private static final Duration CRASH = Duration.ofSeconds(60);
  private static final int CRASHED = 137;
  private static final int ROWS = 1_000;

  @TempDir Path temp;

  private DemoTable table() {
    return new DemoTable(new TableId("killed"), temp.resolve("tables"));
  }

  private Launched up(Kind kind, UnitStep step) throws Exception {
    return Launched.start(
        temp,
        "-Dturnkeeper.crash.at=" + kind + ":" + step,
        "up",
        "--data-dir=" + temp.resolve("data"));
  }

  private NodeClient client(Launched up) throws Exception {
    return new NodeClient(up.awaitUp(UP), table(), temp);
  }

  @Test
  void everyStepOfMergeAndIndexIsRecovered() throws Exception {
    boolean first = true;
    for (UnitStep step : UnitStep.values()) {
      try (Launched up = up(Kind.MERGE_WAL, step);
          NodeClient client = client(up)) {
        if (first) {
          client.register();
          first = false;
        } else {
          recovered(client, DemoPolicies.INDEX, "index before " + step);
        }
        client.set(TestPolicies.merging(4));
        client.seal("a", 2, ROWS);
        client.seal("b", 2, ROWS);
        assertThat(up.awaitExit(CRASH)).as(up.output()).isEqualTo(CRASHED);
      }
      try (Launched up = up(Kind.INDEX, step);
          NodeClient client = client(up)) {
        recovered(client, "", "merge after " + step);
        client.set(TestPolicies.indexing());
        assertThat(up.awaitExit(CRASH)).as(up.output()).isEqualTo(CRASHED);
      }
    }
    try (Launched up = Launched.start(temp, "", "up", "--data-dir=" + temp.resolve("data"));
        NodeClient client = client(up)) {
      recovered(client, DemoPolicies.INDEX, "the last index");
    }
  }

  private static void recovered(NodeClient client, String index, String what) throws Exception {
    var sealed = client.sealed();
    client.await(
        what,
        telling ->
            telling.liveUnits().isEmpty()
                && sealed.entrySet().stream()
                    .allMatch(
                        shard ->
                            telling.mergedThrough().getOrDefault(shard.getKey(), 0L)
                                >= shard.getValue())
                && (index.isEmpty() || Drain.isCovered(telling)));
    Verdict verdict = client.verify(index);
    assertThat(verdict.problems()).as(what).isEmpty();
    assertThat(verdict.rowsInTable()).as(what).isPositive();
  }
}
