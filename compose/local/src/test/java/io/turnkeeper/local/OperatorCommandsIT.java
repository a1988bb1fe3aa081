package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.PolicyCommand;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PolicyCommandIT {
  private static final RebuildListener SILENT =
      new RebuildListener() {
        @Override
        public void progressed(long done, long all) {}

        @Override
        public void historyMissing(String journal, int partition, long from, long to) {}
      };

  @TempDir Path temp;

  private record Said(int code, String out) {}

  @Test
  void whatIsSetIsShownAndComparedUntilItIsCleared() throws Exception {
    Path file = Files.writeString(temp.resolve("p.json"), "{\"merge\": {\"maxAge\": \"90s\"}}");
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, 2);
        Scheduler scheduler = broker.start(RebuildMode.REFUSE, SILENT)) {
      assertThat(scheduler.running()).isTrue();
      broker.register(new TableId("flights"));
      broker.awaitSent();
      for (String table : List.of("flights", TableId.DEFAULT.value())) {
        SchedulerOnBroker.await(table, () -> run(broker, "get", table).code() == 0);
        assertThat(run(broker, "diff", table, file.toString()).out())
            .isEqualToIgnoringNewLines("merge.maxAge: inherited -> \"90s\"");
        assertThat(run(broker, "set", table, file.toString(), "--reason", "sooner").code())
            .isZero();
        SchedulerOnBroker.await(
            "the policy of " + table, () -> run(broker, "get", table).out().contains("90s"));
        assertThat(run(broker, "diff", table, file.toString()).out())
            .isEqualToIgnoringNewLines("nothing changes");
        assertThat(run(broker, "clear", table, "--reason", "enough").code()).isZero();
        SchedulerOnBroker.await(
            "no policy of " + table, () -> !run(broker, "get", table).out().contains("90s"));
      }
      assertThat(run(broker, "get", "nobody").out()).contains("NO_SUCH_TABLE");
      Path bad = Files.writeString(temp.resolve("bad.json"), "{\"merge\": {\"maxage\": \"90s\"}}");
      Said refused = run(broker, "set", "flights", bad.toString(), "--reason", "typo");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.out()).contains("BAD_POLICY").contains("maxage");
    }
  }

  private static Said run(SchedulerOnBroker broker, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(
        List.of("--prefix", broker.topics.prefix(), "--bootstrap-servers", broker.bootstrap()));
    StringWriter words = new StringWriter();
    int code =
        new CommandLine(new PolicyCommand())
            .setOut(new PrintWriter(words))
            .setErr(new PrintWriter(words))
            .setExecutionExceptionHandler(
                (e, line, parsed) -> {
                  words.write(String.valueOf(e.getMessage()));
                  return e instanceof ConfigException ? 2 : 1;
                })
            .execute(all.toArray(new String[0]));
    return new Said(code, words.toString());
  }
}
