package io.turnkeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.turnkeeper.events.Topic;
import io.turnkeeper.local.SchedulerOnBroker;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchedulerGroupIT {
  @Test
  void membersWhoseSessionsEndBeforeTheyAreRemovedAreNoFault(@TempDir Path temp) throws Exception {
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, 1)) {
      SchedulerGroup group = new SchedulerGroup(broker.admin, broker.config());
      assertThatCode(group::removeMembers).as("no group").doesNotThrowAnyException();
      group.raise(Map.of(new TopicPartition(broker.topics.name(Topic.DEMAND), 0), 0L));
      assertThatCode(group::removeMembers).as("a group of nobody").doesNotThrowAnyException();
      assertThat(broker.admin.listGroups().all().get()).isNotEmpty();
    }
  }
}
