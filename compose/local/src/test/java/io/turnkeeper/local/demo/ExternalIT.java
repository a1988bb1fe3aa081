package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.local.ExternalServers;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.story.Telling;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalIT {
  private static final Duration SHORT = Duration.ofSeconds(60);

  /** What docs/operating.md promises. */
  private static final Duration STOP = Duration.ofSeconds(10);

  /** What the command line of a process for preparations contains. */
  private static final String PREPARATION = "turnkeeper-preparation-";

  /** What a shell says of a process that was ended by SIGTERM. */
  private static final int TERMINATED = 143;

  @TempDir Path temp;

  @Test
  void theSameProgramRunsOnAKafkaAndAnEtcdThatAreThere() throws Exception {
    DemoTable table = new DemoTable(new TableId("outside"), temp + "/tables");
    try (ExternalServers servers = new ExternalServers(temp)) {
      Files.createDirectories(temp.resolve("tables"));
      String kafka = servers.addresses().kafka();
      String etcd = servers.addresses().etcd();
      assertThat(run("topics", "create", "--bootstrap-servers", kafka)).isZero();
      Path scheduler =
          Files.writeString(
              temp.resolve("scheduler.properties"),
              "bootstrap.servers=" + kafka + "\nstate.dir=" + temp.resolve("streams") + "\n");
      Path worker =
          Files.writeString(
              temp.resolve("worker.properties"),
              "bootstrap.servers=" + kafka + "\netcd.endpoints=" + etcd + "\nexecutor.id=w1\n");
      try (Launched serving = start("serve", "--config", scheduler.toString());
          Launched working = start("worker", "--config", worker.toString());
          NodeClient client = new NodeClient(servers.addresses(), table, temp)) {
        assertThat(
                run(
                    "register",
                    "outside",
                    "--uri=" + temp.resolve("tables/outside.lance"),
                    "--wal=" + table.wal(),
                    "--schema-from=" + client.schemaFile(),
                    "--bootstrap-servers=" + kafka,
                    "--etcd=" + etcd))
            .isZero();
        client.set(TestPolicies.merging(1));
        client.seal("a", 2, 100);
        client.await("both merged", telling -> telling.mergedGenerations() == 2);
        assertThat(client.verify("").problems()).isEmpty();
        stopInTheMiddleOfAMerge(working, client);
        Path another =
            Files.writeString(
                temp.resolve("another.properties"),
                Files.readString(worker).replace("executor.id=w1", "executor.id=w2"));
        try (Launched next = start("worker", "--config", another.toString())) {
          client.await("all merged", telling -> telling.mergedGenerations() == 3);
          assertThat(client.attemptsOfTheLast(Kind.MERGE_WAL)).isEqualTo(2);
          assertThat(client.verify("").problems()).isEmpty();
          assertThat(next.stop()).isLessThan(STOP);
        }
        assertThat(serving.stop()).isLessThan(STOP);
      }
    }
  }

  /** What runs is given back, what prepares it is ended, and nothing of it stays. */
  private static void stopInTheMiddleOfAMerge(Launched worker, NodeClient client) throws Exception {
    List<ProcessHandle> frozen = worker.freezeDescendants(PREPARATION);
    assertThat(frozen).isNotEmpty();
    client.seal("a", 1, 100);
    client.await("a merge at work", ExternalIT::isMerging);
    assertThat(worker.stop()).isLessThan(STOP);
    assertThat(worker.awaitExit(SHORT)).isEqualTo(TERMINATED);
    assertThat(frozen).noneMatch(ProcessHandle::isAlive);
  }

  private static boolean isMerging(Telling telling) {
    return telling.liveUnits().stream()
        .anyMatch(unit -> unit.kind() == Kind.MERGE_WAL && unit.attempts() == 1);
  }

  private Launched start(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 1];
    all[0] = "--log-dir=" + temp.resolve("logs");
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return Launched.start(temp, "", all);
  }

  private int run(String... arguments) throws Exception {
    try (Launched launched = start(arguments)) {
      int code = launched.awaitExit(SHORT);
      assertThat(code).as(launched.output()).isZero();
      return code;
    }
  }
}
