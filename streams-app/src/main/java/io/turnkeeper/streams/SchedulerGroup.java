package io.turnkeeper.streams;

import io.turnkeeper.events.KafkaFailedException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/** The consumer group of one scheduler, looked at while none of its instances should run. */
final class SchedulerGroup {
  /** An instance that died is a member until its session ends. */
  private static final Duration PATIENCE = Duration.ofSeconds(12);

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Admin admin;
  private final String group;
  private final Pattern own;

  SchedulerGroup(Admin admin, SchedulerConfig config) {
    this.admin = admin;
    this.group = config.applicationId();
    // Kafka Streams numbers the threads of an instance, and names what has no name of its own.
    this.own = Pattern.compile(Pattern.quote(config.instanceId()) + "-(\\d+|rebuild-.*)");
  }

  /**
   * Takes what is left of this instance out of the group if a changelog is missing: only a member
   * that joins anew, not one that comes back, has the missing topics created.
   */
  void joinAnewWithout(Set<String> changelogs) {
    Set<String> existing = answer(admin.listTopics().names());
    if (existing != null && !existing.containsAll(changelogs) && others().isEmpty()) {
      leave();
    }
  }

  /**
   * Makes sure that nobody else is in the group, and takes out what is left of this instance.
   *
   * @throws RebuildRefusedException if another instance runs
   */
  void claim() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<String> others = others();
    while (!others.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new RebuildRefusedException(
            "expected to be the only instance of "
                + group
                + " while its stores are rebuilt, but there are "
                + others
                + ": stop them first");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      others = others();
    }
    leave();
  }

  private List<String> others() {
    return members().stream()
        .map(member -> member.groupInstanceId().orElse(member.clientId()))
        .filter(id -> !own.matcher(id).matches())
        .toList();
  }

  private Collection<MemberDescription> members() {
    var described = answer(admin.describeConsumerGroups(List.of(group)).all());
    return described == null ? List.of() : described.values().iterator().next().members();
  }

  /** Nobody is in the group any more. */
  void leave() {
    if (!members().isEmpty()) {
      removeMembers();
    }
  }

  /** Removes whoever is in the group by now. */
  void removeMembers() {
    try {
      answer(
          admin
              .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
              .all());
    } catch (KafkaFailedException e) {
      // Kafka's client refuses to remove nobody, which happens when a session ends meanwhile.
      if (!members().isEmpty()) {
        throw e;
      }
    }
  }

  /** The group forgets how far it has read these topics. */
  void forget(Set<String> topics) {
    Set<TopicPartition> known =
        offsets().keySet().stream()
            .filter(partition -> topics.contains(partition.topic()))
            .collect(Collectors.toSet());
    if (!known.isEmpty()) {
      answer(admin.deleteConsumerGroupOffsets(group, known).all());
    }
  }

  /** The group reads on from these offsets, unless it is further already. */
  void raise(Map<TopicPartition, Long> next) {
    Map<TopicPartition, OffsetAndMetadata> known = offsets();
    Map<TopicPartition, OffsetAndMetadata> raised = new HashMap<>();
    next.forEach(
        (partition, offset) -> {
          OffsetAndMetadata committed = known.get(partition);
          if (committed == null || committed.offset() < offset) {
            raised.put(partition, new OffsetAndMetadata(offset));
          }
        });
    if (!raised.isEmpty()) {
      answer(admin.alterConsumerGroupOffsets(group, raised).all());
    }
  }

  /** How far it has read, by topic and partition. */
  Map<TopicPartition, OffsetAndMetadata> offsets() {
    Map<TopicPartition, OffsetAndMetadata> known =
        answer(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    return known == null ? Map.of() : known;
  }

  /** Null if there is no such group. */
  private <T> @Nullable T answer(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return null;
      }
      throw new KafkaFailedException("cannot look after group " + group, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while looking after group " + group, e);
    }
  }
}
