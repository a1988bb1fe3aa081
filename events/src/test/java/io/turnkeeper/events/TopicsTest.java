package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.PolicyApplied;
import io.turnkeeper.core.table.Probe;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TopicsTest {
  private final Topics topics = new Topics("acme.");

  @Test
  void namesCarryThePrefix() {
    assertThat(topics.name(Topic.POOL_INBOX)).isEqualTo("acme.pool-inbox");
    assertThat(topics.named("acme.table-state")).contains(Topic.TABLE_STATE);
    assertThat(topics.named("turnkeeper.journal")).isEmpty();
  }

  @Test
  void tableTopicsShareAPartitionCountAndPoolTopicsHaveTheirs() {
    assertThat(
            Arrays.stream(Topic.values())
                .filter(topic -> topics.partitions(topic) == 1)
                .map(Topic::suffix))
        .containsExactly("executor", "pool-inbox", "pool-journal", "pool-decision");
    assertThat(new Topics("a", 3, 2).partitions(Topic.ASSIGNMENT)).isEqualTo(3);
    assertThatThrownBy(() -> new Topics("a", 0, 1)).hasMessageContaining("0 for tables");
  }

  @Test
  void everyEventFromOutsideHasATopic() {
    for (Event event : Samples.events()) {
      if (event instanceof Probe
          || event instanceof PolicyApplied
          || event instanceof PartitionEvent) {
        assertThatThrownBy(() -> Topics.topicOf(event)).hasMessageContaining("a topic of its own");
      } else {
        assertThat(Topics.topicOf(event).family()).isInstanceOfAny(Class.class);
      }
    }
    assertThat(Topics.topicOf(Samples.events().get(0))).isEqualTo(Topic.DEMAND);
  }

  @Test
  void assignmentsGoToTheirExecutor() {
    Assignment grant = (Assignment) Samples.decisions().get(1);

    assertThat(Topics.keyOf(grant)).isEqualTo(Topics.utf8("worker-1"));
  }

  @Test
  void keysArePlacedAsEveryJavaClientPlacesThem() {
    // From Kafka's own UtilsTest: murmur2("21") = -973932308, murmur2("foobar") = -790332482.
    assertThat(Topics.partitionOf(Topics.utf8("21"), 1_000))
        .isEqualTo((-973932308 & 0x7fffffff) % 1_000);
    assertThat(Topics.partitionOf(Topics.utf8("foobar"), 8))
        .isEqualTo((-790332482 & 0x7fffffff) % 8);
  }

  @Test
  void nothingTheJournalSaysIsEverDeleted() {
    for (Topic topic : new Topic[] {Topic.JOURNAL, Topic.DECISION, Topic.POLICY}) {
      assertThat(topic.settings())
          .containsEntry("cleanup.policy", "delete")
          .containsEntry("retention.ms", "-1")
          .containsEntry("retention.bytes", "-1");
    }
    assertThat(Topic.TABLE_STATE.settings()).containsEntry("cleanup.policy", "compact");
    assertThat(Topic.EXECUTOR.settings()).containsEntry("retention.ms", "86400000");
  }
}
