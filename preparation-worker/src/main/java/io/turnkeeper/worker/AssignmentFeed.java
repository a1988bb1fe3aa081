package io.turnkeeper.worker;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the orders for one start of an executor. It stands at the end of its partition before the
 * executor is announced: what lies before was meant for an earlier start.
 */
final class AssignmentFeed implements Runnable {
  private static final Logger LOGGER = LoggerFactory.getLogger(AssignmentFeed.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final Consumer<byte[], byte[]> consumer;
  private final RecordCodec codec;
  private final ExecutorId executor;
  private final long incarnation;
  private final Attempts attempts;
  private volatile boolean stopped;

  AssignmentFeed(
      Consumer<byte[], byte[]> consumer,
      RecordCodec codec,
      ExecutorId executor,
      long incarnation,
      Attempts attempts) {
    this.consumer = consumer;
    this.codec = codec;
    this.executor = executor;
    this.incarnation = incarnation;
    this.attempts = attempts;
  }

  /** Goes to the end of the executor's partition; orders that come from now on are seen. */
  void standAtEnd(String topic) {
    int partitions = consumer.partitionsFor(topic).size();
    if (partitions == 0) {
      throw new ConfigException("topic.prefix", topic, "topics that exist");
    }
    TopicPartition own =
        new TopicPartition(topic, Topics.partitionOf(Topics.utf8(executor.value()), partitions));
    consumer.assign(List.of(own));
    consumer.seekToEnd(List.of(own));
    // Seeking is lazy; asking for the position carries it out.
    long position = consumer.position(own);
    LOGGER
        .atInfo()
        .addKeyValue("executor", executor)
        .addKeyValue("partition", own)
        .addKeyValue("position", position)
        .log("following orders");
  }

  @Override
  public void run() {
    try (consumer) {
      while (!stopped) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          receive(record);
        }
      }
    } catch (WakeupException e) {
      if (!stopped) {
        throw e;
      }
    }
  }

  /** Disconnects a feed that never ran; one that runs does so itself when it is stopped. */
  void close() {
    consumer.close();
  }

  void stop() {
    stopped = true;
    consumer.wakeup();
  }

  private void receive(ConsumerRecord<byte[], byte[]> record) {
    try {
      Assignment order = codec.decode(record.value(), Assignment.class);
      Attempt attempt = order.attempt();
      if (attempt.executor().equals(executor) && attempt.incarnation() == incarnation) {
        deliver(order);
      }
    } catch (InvalidRecordException e) {
      LOGGER
          .atError()
          .addKeyValue("executor", executor)
          .addKeyValue("offset", record.offset())
          .addKeyValue("reason", e.getMessage())
          .log("cannot read an order, perhaps of a newer version");
    }
  }

  private void deliver(Assignment order) {
    if (order instanceof RunUnit run) {
      attempts.run(run);
    } else if (order instanceof GrantTurn grant) {
      attempts.grant(grant);
    } else if (order instanceof CancelUnit cancel) {
      attempts.cancel(cancel);
    } else {
      throw new IllegalStateException("expected an order that is known here, but it is " + order);
    }
  }
}
