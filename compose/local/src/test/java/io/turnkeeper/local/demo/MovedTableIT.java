package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.events.Topic;
import io.turnkeeper.local.Launched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The directory of one table is moved away and back, while the processes that prepare are killed
 * and the program is paused: the table says why it does not go on, another goes on, and in the end
 * both have each row once.
 */
@EnabledIfSystemProperty(named = "faults", matches = "all", disabledReason = "needs -Dfaults=all")
class MovedTableIT {
  private static final Duration UP = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final int ROUNDS = 5;
  private static final int ROWS = 500;
  private static final String PREPARATION = "turnkeeper-preparation-";

  @TempDir Path temp;

  @Test
  void anotherTableGoesOnAndNothingIsLostOrDoubled() throws Exception {
    try (Launched up = Launched.start(temp, "", "up", "--data-dir=" + temp.resolve("data"))) {
      Launched.Addresses node = up.awaitUp(UP);
      try (NodeClient moved = client(node, "moved");
          NodeClient other = client(node, "other");
          EventTail tail =
              new EventTail(
                  moved.node.kafka(), moved.topics, moved.codec, moved.table.id(), Topic.PUBLISH)) {
        seal(moved, 1);
        seal(other, 1);
        Path home = temp.resolve("tables/moved.lance");
        Path away = Files.move(home, temp.resolve("away"));
        for (int round = 2; round <= ROUNDS; round++) {
          moved.seal("a", 1, ROWS);
          other.seal("a", 1, ROWS);
          up.descendant(PREPARATION).ifPresent(ProcessHandle::destroyForcibly);
          up.freeze();
          TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
          up.thaw();
          long expected = round;
          other.await("the other table", telling -> telling.mergedGenerations() == expected);
        }
        assertThat(tail.await(UnitFailed.class, failure -> true).event().code())
            .isEqualTo("NO_SUCH_TABLE");
        assertThat(home).doesNotExist();
        assertThat(tail.all(UnitFailed.class)).as("no crash loop").hasSizeLessThan(2 * ROUNDS);

        Files.move(away, home);
        // Otherwise it is tried again within the hour.
        moved.set(TestPolicies.merging(1));
        moved.await("the moved table", telling -> telling.mergedGenerations() == ROUNDS);
        assertThat(moved.verify("").problems()).isEmpty();
        assertThat(other.verify("").problems()).isEmpty();
      }
    }
  }

  private NodeClient client(Launched.Addresses node, String name) throws Exception {
    Path records = Files.createDirectories(temp.resolve(name));
    NodeClient client =
        new NodeClient(node, new DemoTable(new TableId(name), temp + "/tables"), records);
    client.register();
    client.set(TestPolicies.merging(1));
    return client;
  }

  private static void seal(NodeClient client, int generations) throws Exception {
    client.seal("a", generations, ROWS);
    client.await("a merge", telling -> telling.mergedGenerations() == generations);
  }
}
