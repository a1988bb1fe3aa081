package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.verify.Verdict;
import io.turnkeeper.worker.CrashSwitch;
import io.turnkeeper.worker.UnitStep;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends the whole process without warning after each step of a unit's life, starts it again on the
 * same data and verifies the table. Each start recovers from one end and runs into the next. With
 * {@code -Dturnkeeper.test.flags=-Dkill=all} a merge and an index are ended after every step.
 */
class KillIT {
  /** Long: this is about recovery, and a loaded machine may take a client's whole timeout twice. */
  private static final Duration UP = Duration.ofMinutes(3);

  private static final Duration CRASH = Duration.ofSeconds(60);
  private static final int CRASHED = 137;
  private static final int ROWS = 1_000;

  @TempDir Path temp;

  /** How often units of each kind were begun until the last recovery. */
  private final Map<Kind, Integer> begun = new EnumMap<>(Kind.class);

  private DemoTable table() {
    return new DemoTable(new TableId("killed"), temp + "/tables");
  }

  /** Where the process ends: after this step of a unit of this kind. */
  private record Crash(Kind kind, UnitStep step) {
    /** Armed by a file, so that what recovers from the crash before does not run into this one. */
    String options(Path armed) {
      return "-D%s=%s -D%s=%s"
          .formatted(CrashSwitch.PROPERTY, this, CrashSwitch.ARMED_PROPERTY, armed);
    }

    /** Whether the authority has the version, if the program did no more than this step. */
    boolean isCommitted() {
      return step.compareTo(UnitStep.COMMITTED) >= 0;
    }

    @Override
    public String toString() {
      return kind + ":" + step;
    }
  }

  // Each step once: an index where its files lie prepared and where its version is readable but not
  // reported, a merge everywhere else.
  private static List<Crash> crashes() {
    boolean all = "all".equals(System.getProperty("kill"));
    List<Crash> crashes = new ArrayList<>();
    for (UnitStep step : UnitStep.values()) {
      boolean index = step == UnitStep.PREPARED || step == UnitStep.MATERIALISED;
      if (all || !index) {
        crashes.add(new Crash(Kind.MERGE_WAL, step));
      }
      if (all || index) {
        crashes.add(new Crash(Kind.INDEX, step));
      }
    }
    return crashes;
  }

  private Launched up(String javaOptions) throws Exception {
    return Launched.start(temp, javaOptions, "up", "--data-dir=" + temp.resolve("data"));
  }

  private NodeClient client(Launched up) throws Exception {
    return new NodeClient(up.awaitUp(UP), table(), temp);
  }

  @Test
  void everyStepIsRecovered() throws Exception {
    Optional<Crash> before = Optional.empty();
    for (Crash next : crashes()) {
      Path armed = temp.resolve("armed-" + next);
      try (Launched up = up(next.options(armed));
          NodeClient client = client(up)) {
        if (before.isPresent()) {
          recovered(client, before.get());
        } else {
          client.register();
        }
        Files.createFile(armed);
        provoke(client, next.kind());
        assertThat(up.awaitExit(CRASH)).as(up.output()).isEqualTo(CRASHED);
      }
      before = Optional.of(next);
    }
    try (Launched up = up("");
        NodeClient client = client(up)) {
      recovered(client, before.orElseThrow());
      retired(client);
    }
  }

  /** What all that left behind goes: of each shard's log only the newest generation stays. */
  private static void retired(NodeClient client) throws Exception {
    client.set(TestPolicies.retiring());
    client.await(
        "a retirement",
        telling ->
            telling.units().stream()
                .anyMatch(
                    unit -> unit.kind() == Kind.RETIRE && unit.outcome().equals("published")));
    for (String shard : client.sealed().keySet()) {
      assertThat(generations(Path.of(client.table.wal(), shard))).as(shard).isEqualTo(1);
    }
    assertThat(client.verify(DemoPolicies.INDEX).problems()).isEmpty();
  }

  private static long generations(Path shard) throws Exception {
    try (var files = Files.list(shard)) {
      return files.filter(file -> file.toString().endsWith(".arrow")).count();
    }
  }

  private static void provoke(NodeClient client, Kind kind) throws Exception {
    if (kind == Kind.INDEX) {
      client.set(TestPolicies.indexing());
      return;
    }
    client.set(TestPolicies.merging(4));
    client.seal("a", 2, ROWS);
    client.seal("b", 2, ROWS);
  }

  private void recovered(NodeClient client, Crash crash) throws Exception {
    String what = "recovered from " + crash;
    String index = crash.kind() == Kind.INDEX ? DemoPolicies.INDEX : "";
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
    int attempts = client.attempts(crash.kind());
    // Of all its units: what is done again may be so by another one.
    assertThat(attempts - begun.getOrDefault(crash.kind(), 0))
        .as(what + ": what was committed is found out and not done again")
        .isEqualTo(crash.isCommitted() ? 1 : 2);
    begun.put(crash.kind(), attempts);
    Verdict verdict = client.verify(index);
    assertThat(verdict.problems()).as(what).isEmpty();
    assertThat(verdict.rowsInTable()).as(what).isPositive();
  }
}
