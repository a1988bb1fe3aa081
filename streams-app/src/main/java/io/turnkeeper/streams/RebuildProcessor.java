package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Folds a partition's history into its store. An entry and its decisions are folded together, so
 * whatever a transaction commits is the state after a whole entry; a rebuild that was interrupted
 * reads from the beginning again and passes over what the store has.
 *
 * @param <S> the state of one subject
 */
final class RebuildProcessor<S> implements Processor<byte[], byte[], Address, byte[]> {
  private static final Duration PUNCTUATION = Duration.ofMillis(20);

  private final Subject<S> subject;
  private final RebuildPart part;
  private final RecordCodec codec;
  private final List<DecisionRecord> decisions = new ArrayList<>();
  private @Nullable JournalEntry entry;
  private long lastDecision = -1;
  private @Nullable Task<S> taskOrNull;
  private @Nullable ProcessorContext<Address, byte[]> contextOrNull;
  private boolean done;

  private record Task<S>(
      ProcessorContext<Address, byte[]> context,
      PartitionFold<S> fold,
      RebuildTarget target,
      Remembered<S> remembered) {}

  RebuildProcessor(Subject<S> subject, RebuildPart part, RecordCodec codec) {
    this.subject = subject;
    this.part = part;
    this.codec = codec;
  }

  @Override
  public void init(ProcessorContext<Address, byte[]> context) {
    contextOrNull = context;
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, ignored -> finishIfComplete());
  }

  /** Stores can be written from the first record or punctuation on, not before. */
  private Task<S> task() {
    Task<S> known = taskOrNull;
    if (known != null) {
      return known;
    }
    ProcessorContext<Address, byte[]> context = contextOrNull;
    if (context == null) {
      throw new IllegalStateException("expected init before anything else");
    }
    int partition = context.taskId().partition();
    RebuildTarget target = part.rebuilding().target(partition);
    StoredStates<S> states =
        new StoredStates<>(context.getStateStore(part.store()), codec, subject.layout());
    Remembered<S> remembered = Remembered.of(subject, part, partition, target);
    remembered.putInto(states, target);
    Task<S> task = new Task<>(context, new PartitionFold<>(subject, states), target, remembered);
    taskOrNull = task;
    return task;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    PartitionFold<S> fold = task().fold();
    Object value = decoded(record.value());
    if (value instanceof JournalEntry next) {
      foldWaiting();
      entry = next.sequence() > fold.partition().sequence() ? next : null;
    } else if (value instanceof DecisionRecord decision) {
      lastDecision = offset();
      if (entry != null && decision.sequence() == entry.sequence()) {
        decisions.add(decision);
      } else if (decision.sequence() > fold.partition().sequence()) {
        throw new IllegalStateException("expected the entry before its decision " + decision);
      }
    }
    finishIfComplete();
  }

  private void foldWaiting() {
    JournalEntry waiting = entry;
    if (waiting != null) {
      int partition = task().context().taskId().partition();
      task()
          .fold()
          .refold(new JournalStep(partition, waiting, decisions), task().remembered()::isAhead);
      decisions.clear();
      entry = null;
      part.rebuilding().isAt(partition, waiting.sequence());
    }
  }

  private void finishIfComplete() {
    RebuildTarget target = task().target();
    JournalEntry waiting = entry;
    boolean last = waiting != null && waiting.sequence() == target.newest();
    boolean passed = task().fold().partition().sequence() >= target.newest();
    if (done || !(passed || (last && lastDecision >= target.lastDecision()))) {
      return;
    }
    done = true;
    foldWaiting();
    PartitionFold<S> fold = task().fold();
    int partition = task().context().taskId().partition();
    if (task().remembered().isNeeded() || fold.partition().sequence() > target.newest()) {
      mark(fold, partition, target);
    }
    part.rebuilding().isAt(partition, target.newest());
    part.rebuilding().isDone(partition, fold.partition());
  }

  /** History is missing; the journal says so from here on. */
  private void mark(PartitionFold<S> fold, int partition, RebuildTarget target) {
    PartitionState at = fold.partition();
    boolean cut = task().remembered().isNeeded() && target.newest() > 0;
    long from = cut ? 1 : target.newest() + 1;
    long to = cut ? target.oldest() : at.sequence() + 1;
    part.rebuilding().listener().historyMissing(part.journal(), partition, from, to);
    JournalEntry gap =
        fold.next(at.atMillis(), null, new PartitionEvent.SourceGap(part.journal(), from, to));
    fold.refold(new JournalStep(partition, gap, List.of()), PartitionFold.Known.NOTHING);
    task()
        .context()
        .forward(
            new Record<>(
                new Address(Nodes.PARTITION_KEY.getBytes(UTF_8), partition),
                codec.encode(gap),
                task().context().currentSystemTimeMs()),
            part.journalSink());
  }

  private Object decoded(byte[] value) {
    try {
      return codec.decode(value);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected history", e);
    }
  }

  private long offset() {
    return task().context().recordMetadata().map(RecordMetadata::offset).orElse(-1L);
  }
}
