package io.turnkeeper.events;

import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads one partition of a journal and of its decisions side by side and joins them. */
final class PartitionReading {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Read ahead of the other topic at most so much, give or take one poll. */
  private static final int MAX_WAITING = 10_000;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final RecordCodec codec;
  private final ToLongFunction<TopicPartition> written;
  private final TopicPartition journal;
  private final TopicPartition decisions;
  private final Consumer<JournalStep> into;
  private final Deque<JournalEntry> waitingEntries = new ArrayDeque<>();
  private final Deque<DecisionRecord> waitingDecisions = new ArrayDeque<>();
  private boolean begun;

  /**
   * Prepares a reading.
   *
   * @param written where a partition ends, whether or not all before it is committed
   */
  PartitionReading(
      KafkaConsumer<byte[], byte[]> consumer,
      RecordCodec codec,
      ToLongFunction<TopicPartition> written,
      String journal,
      String decisions,
      int partition,
      Consumer<JournalStep> into) {
    this.consumer = consumer;
    this.codec = codec;
    this.written = written;
    this.journal = new TopicPartition(journal, partition);
    this.decisions = new TopicPartition(decisions, partition);
    this.into = into;
  }

  void run() throws InvalidRecordException {
    List<TopicPartition> both = List.of(journal, decisions);
    consumer.assign(both);
    consumer.seekToBeginning(both);
    // The journal's end first: the decisions of what is committed before it are then written,
    // though the mark that commits them may be on its way.
    long journalEnd = end(journal);
    long decisionsEnd = written.applyAsLong(decisions);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (consumer.position(journal) < journalEnd || consumer.position(decisions) < decisionsEnd) {
      long before = consumer.position(journal) + consumer.position(decisions);
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        take(record, journalEnd, decisionsEnd);
      }
      emit(consumer.position(decisions) >= decisionsEnd);
      balance();
      if (consumer.position(journal) + consumer.position(decisions) > before) {
        deadline = System.nanoTime() + PATIENCE.toNanos();
      } else if (System.nanoTime() > deadline) {
        String message = "expected records of " + both + " within " + PATIENCE;
        throw new KafkaFailedException(message, new TimeoutException(message));
      }
    }
    // What waits now was decided for entries after the end that was asked for.
    emit(true);
  }

  /** Reads on after {@link #run} until told to stop. */
  void follow(BooleanSupplier stopped) throws InvalidRecordException {
    long decisionsNeeded = 0;
    while (!stopped.getAsBoolean()) {
      boolean more = false;
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        take(record, Long.MAX_VALUE, Long.MAX_VALUE);
        more = true;
      }
      if (more && !waitingEntries.isEmpty()) {
        decisionsNeeded = written.applyAsLong(decisions);
      }
      emit(consumer.position(decisions) >= decisionsNeeded);
      balance();
    }
  }

  private long end(TopicPartition partition) {
    Map<TopicPartition, Long> ends = consumer.endOffsets(List.of(partition));
    return Objects.requireNonNull(ends.get(partition));
  }

  private void take(ConsumerRecord<byte[], byte[]> record, long journalEnd, long decisionsEnd)
      throws InvalidRecordException {
    if (record.topic().equals(journal.topic())) {
      if (record.offset() < journalEnd) {
        waitingEntries.add(decode(record, JournalEntry.class));
      }
    } else if (record.offset() < decisionsEnd) {
      waitingDecisions.add(decode(record, DecisionRecord.class));
    }
  }

  private <T> T decode(ConsumerRecord<byte[], byte[]> record, Class<T> type)
      throws InvalidRecordException {
    try {
      return codec.decode(Objects.requireNonNullElse(record.value(), new byte[0]), type);
    } catch (InvalidRecordException e) {
      throw new InvalidRecordException(
          e.code(),
          record.topic() + "-" + record.partition() + "@" + record.offset() + ": " + e.getMessage(),
          e);
    }
  }

  /** Gives away every entry whose decisions are known to be complete. */
  private void emit(boolean allDecisionsRead) {
    while (!waitingEntries.isEmpty()
        && (allDecisionsRead || hasDecisionAfter(waitingEntries.getFirst().sequence()))) {
      JournalEntry entry = waitingEntries.removeFirst();
      into.accept(new JournalStep(journal.partition(), entry, decisionsOf(entry.sequence())));
      begun = true;
    }
  }

  private boolean hasDecisionAfter(long sequence) {
    return !waitingDecisions.isEmpty() && waitingDecisions.getLast().sequence() > sequence;
  }

  private List<DecisionRecord> decisionsOf(long sequence) {
    List<DecisionRecord> found = new ArrayList<>();
    while (!waitingDecisions.isEmpty() && waitingDecisions.getFirst().sequence() <= sequence) {
      DecisionRecord decision = waitingDecisions.removeFirst();
      if (decision.sequence() == sequence) {
        found.add(decision);
      } else if (begun) {
        throw orphan(decision);
      }
      // Before the first entry: a pool's journal begins where its oldest kept segment does.
    }
    return found;
  }

  private IllegalStateException orphan(DecisionRecord decision) {
    return new IllegalStateException(
        "expected the entry of each decision in " + journal + ", but it lacks that of " + decision);
  }

  private void balance() {
    pause(journal, waitingEntries.size() > MAX_WAITING);
    pause(decisions, waitingDecisions.size() > MAX_WAITING && waitingEntries.isEmpty());
  }

  private void pause(TopicPartition partition, boolean paused) {
    if (paused) {
      consumer.pause(List.of(partition));
    } else {
      consumer.resume(List.of(partition));
    }
  }
}
