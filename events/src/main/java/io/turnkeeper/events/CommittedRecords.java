package io.turnkeeper.events;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumers of committed records as bytes; they join no group and commit nothing. */
public final class CommittedRecords {
  /**
   * How long the broker may hold an answer back for want of records, milliseconds. Closing a
   * consumer waits for the answer under way, so at Kafka's 500 ms every reading up to an end would
   * take half a second more.
   */
  private static final int MAX_WAIT_MILLIS = 20;

  private CommittedRecords() {}

  /** Where reading goes on when the offset to be read is not there any more. */
  public enum WhenGone {
    /** With the oldest record that is there. */
    EARLIEST,
    /** Nowhere: {@link KafkaConsumer#poll} throws. */
    NONE
  }

  /** A consumer with the settings of a client, for example {@code bootstrap.servers}. */
  public static KafkaConsumer<byte[], byte[]> consumer(
      Map<String, ?> clientSettings, WhenGone whenGone) {
    Map<String, Object> settings = new HashMap<>(clientSettings);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, whenGone.name().toLowerCase(Locale.ROOT));
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, MAX_WAIT_MILLIS);
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
