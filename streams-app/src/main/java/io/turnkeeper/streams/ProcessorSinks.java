package io.turnkeeper.streams;

import io.turnkeeper.core.Event;
import io.turnkeeper.events.Topics;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a processor keeps and sends things.
 *
 * @param store its state store
 * @param state the sink of snapshots for readers, null if there is none
 * @param partitions the partition count of its input topics
 * @param topicFits whether an event may come on a topic
 */
record ProcessorSinks(
    String store,
    String journal,
    String decision,
    String rejected,
    @Nullable String state,
    int partitions,
    BiPredicate<Event, String> topicFits) {

  boolean belongsOn(Event event, String topic) {
    return topicFits.test(event, topic);
  }

  /** The partition a key hashes to, as the Java client does it. */
  int homeOf(byte[] key) {
    return Topics.partitionOf(key, partitions);
  }
}
