package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.events.Topic;
import io.turnkeeper.local.Launched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program as it is, with a preparation whose process is stopped and continued from outside: one
 * that is silent for the limit of its table is given up, one that is only slow is not.
 */
@EnabledIfSystemProperty(named = "faults", matches = "all", disabledReason = "needs -Dfaults=all")
class SlowWorkIT {
  private static final Duration UP = Duration.ofMinutes(2);
  private static final Duration LIMIT = Duration.ofSeconds(3);

  /** How much later than the limit it may be given up. */
  private static final Duration GRACE = Duration.ofSeconds(4);

  private static final Duration SLOW = Duration.ofSeconds(8);
  private static final int GENERATIONS = 60;
  private static final long STOPPED_MILLIS = 980;

  /** What the command line of a process for preparations contains. */
  private static final String PREPARATION = "turnkeeper-preparation-";

  @TempDir static Path temp;
  private static Launched up;
  private static Launched.Addresses node;

  @BeforeAll
  static void start() throws Exception {
    up = Launched.start(temp, "", "up", "--data-dir=" + temp.resolve("data"));
    node = up.awaitUp(UP);
  }

  @AfterAll
  static void stop() {
    up.close();
  }

  @Test
  void aSilentPreparationIsGivenUpAndBegunAnew() throws Exception {
    try (NodeClient client = client("silent", 1);
        EventTail tail = tail(client)) {
      client.seal("a", 1, 1_000);
      long claimed = tail.await(UnitClaimed.class, claim -> true).atMillis();
      EventTail.Heard<UnitFailed> failed = tail.await(UnitFailed.class, failure -> true);
      up.thawDescendants(PREPARATION);

      assertThat(failed.event().code()).isEqualTo("STALLED");
      assertThat(failed.event().message()).isEqualTo("maintenance preparation made no progress");
      assertThat(Duration.ofMillis(failed.atMillis() - claimed))
          .isGreaterThanOrEqualTo(LIMIT)
          .isLessThan(LIMIT.plus(GRACE));
      client.await("the merge", telling -> telling.mergedGenerations() == 1);
      assertThat(client.verify("").problems()).isEmpty();
    }
  }

  @Test
  void aSlowPreparationIsNotGivenUpHoweverLongItTakes() throws Exception {
    try (NodeClient client = client("slow", GENERATIONS);
        EventTail tail = tail(client)) {
      client.seal("a", GENERATIONS, 5_000);
      long claimed = tail.await(UnitClaimed.class, claim -> true).atMillis();
      long slowUntil = System.nanoTime() + SLOW.toNanos();
      while (System.nanoTime() < slowUntil) {
        up.moveSomeBytes(PREPARATION);
        TimeUnit.MILLISECONDS.sleep(STOPPED_MILLIS);
      }
      assertThat(tail.all(PreparationReady.class)).isEmpty();
      up.thawDescendants(PREPARATION);

      long ready = tail.await(PreparationReady.class, one -> true).atMillis();
      assertThat(Duration.ofMillis(ready - claimed)).isGreaterThanOrEqualTo(SLOW);
      tail.await(UnitPublished.class, published -> !published.versions().isEmpty());
      assertThat(tail.all(UnitFailed.class)).isEmpty();
      client.await("the merge", telling -> telling.mergedGenerations() == GENERATIONS);
      assertThat(client.verify("").problems()).isEmpty();
    }
  }

  /** A table whose first merge is prepared by a process that does nothing. */
  private static NodeClient client(String name, int generations) throws Exception {
    Path records = Files.createDirectories(temp.resolve(name));
    NodeClient client =
        new NodeClient(node, new DemoTable(new TableId(name), temp + "/tables"), records);
    client.register();
    client.set(TestPolicies.merging(generations, LIMIT));
    client.await("the table", telling -> telling.observed() != null);
    assertThat(up.freezeDescendants(PREPARATION)).isNotEmpty();
    return client;
  }

  private static EventTail tail(NodeClient client) {
    return new EventTail(
        client.node.kafka(),
        client.topics,
        client.codec,
        client.table.id(),
        Topic.CLAIM,
        Topic.CHECKPOINT,
        Topic.PUBLISH);
  }
}
