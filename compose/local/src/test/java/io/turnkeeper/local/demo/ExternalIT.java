package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.local.ExternalServers;
import io.turnkeeper.local.Launched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalIT {
  private static final Duration SHORT = Duration.ofSeconds(60);

  @TempDir Path temp;

  @Test
  void theSameProgramRunsOnAKafkaAndAnEtcdThatAreThere() throws Exception {
    DemoTable table = new DemoTable(new TableId("outside"), temp.resolve("tables"));
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
        assertThat(working.stop()).isLessThan(Duration.ofSeconds(10));
        assertThat(serving.stop()).isLessThan(Duration.ofSeconds(10));
      }
    }
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
