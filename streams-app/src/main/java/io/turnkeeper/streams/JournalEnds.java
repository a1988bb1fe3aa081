package io.turnkeeper.streams;

import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.events.CommittedRecords;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.KafkaFailedException;
import io.turnkeeper.events.RecordCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Where journals begin and end, as the brokers know it. An end is only believed when no transaction
 * is open before it: what an instance that died has written may still be taken back.
 */
final class JournalEnds implements AutoCloseable {
  /** A broker ends what a dead instance left open after 10 s, give or take another 10. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration POLL = Duration.ofMillis(100);

  /** The last record of a partition has at least the mark of its transaction behind it. */
  private static final long FIRST_LOOK_BACK = 4;

  private static final long LOOK_FURTHER = 16;

  private final RecordCodec codec;
  private final Admin admin;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private volatile boolean closing;

  JournalEnds(Map<String, ?> clientSettings, RecordCodec codec) {
    this.codec = codec;
    this.admin = Admin.create(new HashMap<String, Object>(clientSettings));
    this.consumer = CommittedRecords.consumer(clientSettings, WhenGone.EARLIEST);
  }

  /** The sequence of the newest entry of a journal, 0 if it has none. */
  synchronized long newestEntry(TopicPartition journal) {
    ConsumerRecord<byte[], byte[]> newest = newest(journal);
    return newest == null ? 0 : sequence(newest);
  }

  /** The offset of the newest record of a partition, -1 if it has none. */
  synchronized long newestOffset(TopicPartition partition) {
    ConsumerRecord<byte[], byte[]> newest = newest(partition);
    return newest == null ? -1 : newest.offset();
  }

  /** The sequence of the oldest entry that is still there, 0 if there is none. */
  synchronized long oldestEntry(TopicPartition journal) {
    long end = settledEnd(journal);
    consumer.assign(List.of(journal));
    consumer.seekToBeginning(List.of(journal));
    ConsumerRecord<byte[], byte[]> oldest = null;
    while (oldest == null && consumer.position(journal) < end) {
      List<ConsumerRecord<byte[], byte[]>> some = consumer.poll(POLL).records(journal);
      oldest = some.isEmpty() ? null : some.get(0);
    }
    return oldest == null ? 0 : sequence(oldest);
  }

  /** Whether anything was ever written to a partition. */
  boolean isUsed(TopicPartition partition) {
    return offset(partition, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED) > 0;
  }

  private @Nullable ConsumerRecord<byte[], byte[]> newest(TopicPartition partition) {
    long begin = offset(partition, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    long end = settledEnd(partition);
    consumer.assign(List.of(partition));
    ConsumerRecord<byte[], byte[]> newest = null;
    for (long back = FIRST_LOOK_BACK; newest == null && begin < end; back *= LOOK_FURTHER) {
      long from = Math.max(begin, end - back);
      consumer.seek(partition, from);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          newest = record;
        }
      }
      if (from == begin) {
        break;
      }
    }
    return newest;
  }

  /** The end of a partition once nothing before it is undecided. */
  private long settledEnd(TopicPartition partition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      // The mark first: what is committed may only have grown since.
      long written = offset(partition, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
      long settled = offset(partition, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
      if (settled >= written) {
        return settled;
      }
      if (closing || System.nanoTime() > deadline) {
        String message =
            "expected the transactions in "
                + partition
                + " to end within "
                + PATIENCE.toSeconds()
                + " s, but one is open at offset "
                + settled;
        throw new KafkaFailedException(message, new TimeoutException(message));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private long offset(TopicPartition partition, OffsetSpec spec, IsolationLevel isolation) {
    try {
      return admin
          .listOffsets(Map.of(partition, spec), new ListOffsetsOptions(isolation))
          .partitionResult(partition)
          .get()
          .offset();
    } catch (ExecutionException e) {
      throw new KafkaFailedException("cannot find the end of " + partition, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while looking for the end of " + partition, e);
    }
  }

  private long sequence(ConsumerRecord<byte[], byte[]> record) {
    try {
      byte[] value = Objects.requireNonNullElse(record.value(), new byte[0]);
      return codec.decode(value, JournalEntry.class).sequence();
    } catch (InvalidRecordException e) {
      throw new IllegalStateException(
          "expected a journal entry at "
              + record.topic()
              + "-"
              + record.partition()
              + "@"
              + record.offset(),
          e);
    }
  }

  @Override
  public void close() {
    // Whoever waits for a transaction to end, or for an answer, waits no more.
    closing = true;
    admin.close(Duration.ZERO);
    consumer.wakeup();
    synchronized (this) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }
}
