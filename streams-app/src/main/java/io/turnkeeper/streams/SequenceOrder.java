package io.turnkeeper.streams;

import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Makes Kafka Streams read each entry before its decisions and these before the next entry: records
 * of several topics reach a task by their time stamps, so these follow from the sequences.
 */
record SequenceOrder(RecordCodec codec) implements TimestampExtractor {
  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    Object value;
    try {
      value = record.value() instanceof byte[] bytes ? codec.decode(bytes) : null;
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected history at " + place(record), e);
    }
    if (value instanceof JournalEntry entry) {
      return 2 * entry.sequence();
    }
    if (value instanceof DecisionRecord decision) {
      return 2 * decision.sequence() + 1;
    }
    throw new IllegalStateException(
        "expected an entry or a decision at " + place(record) + ", but it is " + value);
  }

  private static String place(ConsumerRecord<Object, Object> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }
}
