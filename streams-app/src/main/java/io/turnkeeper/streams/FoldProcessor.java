package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.partition.TaskClock;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every record its place and time in the partition's journal, folds it, decides, and records
 * all of it in one transaction. It knows no rule: those are in the core.
 *
 * @param <S> the state of one subject
 */
final class FoldProcessor<S> implements Processor<byte[], byte[], Address, byte[]> {
  private static final Logger LOGGER = LoggerFactory.getLogger(FoldProcessor.class);

  /**
   * Until so many entries are taken in a window, those that somebody waits for are committed early,
   * which costs milliseconds each. A task with more to do commits soon by itself.
   */
  private static final int EARLY_COMMITS = 8;

  private static final Duration EARLY_COMMIT_WINDOW = Duration.ofMillis(25);

  private final Subject<S> subject;
  private final ProcessorSinks sinks;
  private final RecordCodec codec;
  private final Settings settings;
  private final LongSupplier monotonicNanos;
  private final Half half;
  private final Intake intake;

  /** What a task has from its beginning to its end. */
  private record Task<S>(
      ProcessorContext<Address, byte[]> context,
      StoredStates<S> states,
      PartitionFold<S> fold,
      TaskClock clock,
      InputReading reading,
      Shown shown,
      Looks looks) {}

  private @Nullable Task<S> taskOrNull;
  private boolean started;
  private long windowNanos;
  private int takenInWindow;

  FoldProcessor(
      Subject<S> subject,
      ProcessorSinks sinks,
      RecordCodec codec,
      Settings settings,
      LongSupplier monotonicNanos,
      Half half) {
    this.subject = subject;
    this.sinks = sinks;
    this.codec = codec;
    this.settings = settings;
    this.monotonicNanos = monotonicNanos;
    this.half = half;
    this.intake = new Intake(subject, sinks, codec);
  }

  @Override
  public void init(ProcessorContext<Address, byte[]> context) {
    StoredStates<S> states =
        new StoredStates<>(context.getStateStore(sinks.store()), codec, subject.layout());
    int partition = context.taskId().partition();
    half.journalEnd().requireReached(partition, states.partition().sequence());
    PartitionFold<S> fold = new PartitionFold<>(subject, states);
    TaskClock clock =
        new TaskClock(fold.partition().atMillis(), context::currentSystemTimeMs, monotonicNanos);
    InputReading reading = new InputReading(half.inputs(), partition);
    windowNanos = monotonicNanos.getAsLong();
    Looks looks = new Looks(context, this::look);
    taskOrNull = new Task<>(context, states, fold, clock, reading, new Shown(states.keys()), looks);
    looks.by(0, fold.partition().atMillis());
    half.open().opened(partition);
  }

  /** Comes before the task closes its store, however it ends. */
  @Override
  public void close() {
    Task<S> task = taskOrNull;
    if (task != null) {
      half.open().closing(task.context().taskId().partition());
    }
  }

  @Override
  public void process(Record<byte[], byte[]> input) {
    start();
    accept(input);
    lookAgain(fold().partition().atMillis());
  }

  private void accept(Record<byte[], byte[]> input) {
    RecordMetadata metadata =
        context().recordMetadata().orElseThrow(() -> new IllegalStateException("no metadata"));
    Source source = new Source(metadata.topic(), metadata.partition(), metadata.offset());
    InputReading.Missing missing = task().reading().before(source);
    if (missing != null) {
      take(missing);
    }
    if (fold().partition().hasTaken(source)) {
      LOGGER.atWarn().addKeyValue("source", source).log("input was already folded, dropped");
      return;
    }
    try {
      journal(source, intake.accepted(input, source));
    } catch (InvalidRecordException e) {
      long now = context().currentSystemTimeMs();
      context().forward(intake.rejection(input, source, e, now), sinks.rejected());
    }
  }

  private void look() {
    start();
    long at = task().clock().millis();
    if (fold().isDue(at) || at >= nextTickMillis()) {
      take(new PartitionEvent.Tick());
    }
    if (sinks.state() != null) {
      showWaiting(sinks.state(), at);
    }
    lookAgain(at);
  }

  private void lookAgain(long nowMillis) {
    long next = Math.min(fold().nextDueMillis(), nextTickMillis());
    if (sinks.state() != null) {
      next = Math.min(next, task().shown().nextMillis(fold().partition()));
    }
    task().looks().by(next, nowMillis);
  }

  private long nextTickMillis() {
    return fold().partition().atMillis() + PartitionEvent.Tick.MAX_APART_MILLIS;
  }

  /** Every start is an entry: settings may have changed, and no time was observed before it. */
  private void start() {
    if (started) {
      return;
    }
    started = true;
    if (task().clock().gapMillis() != 0) {
      take(new PartitionEvent.ClockGap(task().clock().gapMillis()));
    }
    InputReading.Beginning beginning = task().reading().begin(fold().partition());
    take(new PartitionEvent.SettingsApplied(settings, beginning.topicIds()));
    beginning.missing().forEach(this::take);
  }

  private void take(InputReading.Missing missing) {
    LOGGER
        .atWarn()
        .addKeyValue("source", missing.source())
        .log(
            "INPUT IS MISSING: {} records of {} were gone before they could be read, it goes on at"
                + " offset {}",
            missing.records(),
            missing.source(),
            missing.event().toOffset());
    take(missing.source(), missing.event());
  }

  /** An event that the task found out itself. */
  private void take(Event event) {
    take(null, event);
  }

  private void take(@Nullable Source source, Event event) {
    try {
      journal(source, event);
    } catch (InvalidRecordException impossible) {
      throw new IllegalStateException("expected to fold " + event, impossible);
    }
  }

  /**
   * Adds an entry to the journal with all that follows from it.
   *
   * @throws InvalidRecordException if the rules cannot take it; nothing has changed then
   */
  private void journal(@Nullable Source source, Event event) throws InvalidRecordException {
    JournalEntry entry = fold().next(task().clock().millis(), source, event);
    PartitionFold.Taken<S> taken;
    try {
      taken = fold().take(entry);
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.NOT_FOLDABLE, "the rules cannot take it: " + e, e);
    }
    String key = fold().keyOf(entry);
    forward(sinks.journal(), key == null ? Nodes.PARTITION_KEY : key, entry, ownPartition());
    int index = 0;
    boolean told = false;
    for (Conclusion<S> conclusion : taken.conclusions()) {
      for (Decided<? extends Decision> decided : conclusion.decisions()) {
        told |= record(conclusion.key(), index++, decided);
      }
      show(conclusion);
    }
    if (!isBusy() && told) {
      context().commit();
    }
    taken.overdue().forEach(this::takeOverdue);
  }

  /** One subject that the rules fail on must not stop the others of its partition. */
  private void takeOverdue(Event event) {
    try {
      journal(null, event);
    } catch (InvalidRecordException e) {
      LOGGER.atError().setCause(e).log("the rules failed on {}", event);
    }
  }

  /** Whether somebody is told of the decision. */
  private boolean record(String key, int index, Decided<? extends Decision> decided) {
    int own = ownPartition();
    boolean told = false;
    forward(
        sinks.decision(),
        key,
        new DecisionRecord(
            own,
            fold().partition().sequence(),
            index,
            TableRules.VERSION,
            decided.decision(),
            decided.reason()),
        own);
    for (Outgoing outgoing : subject.outgoing(decided.decision())) {
      forward(
          outgoing.sink(),
          outgoing.key(),
          outgoing.value(),
          outgoing.ownPartition() ? own : Address.BY_KEY);
      told = true;
    }
    return told;
  }

  private boolean isBusy() {
    long nanos = monotonicNanos.getAsLong();
    if (nanos - windowNanos >= EARLY_COMMIT_WINDOW.toNanos()) {
      windowNanos = nanos;
      takenInWindow = 0;
    }
    takenInWindow++;
    return takenInWindow > EARLY_COMMITS;
  }

  private void show(Conclusion<S> conclusion) {
    String sink = sinks.state();
    if (sink == null || !conclusion.changed()) {
      return;
    }
    String key = conclusion.key();
    if (task().shown().isTime(key, conclusion.isNews(), fold().partition().atMillis())) {
      show(sink, key);
    }
  }

  private void showWaiting(String sink, long nowMillis) {
    task().shown().takeWaiting(nowMillis).forEach(key -> show(sink, key));
    if (task().shown().isTimeForPartition(fold().partition(), nowMillis)) {
      forward(sink, Nodes.PARTITION_KEY, fold().partition(), ownPartition());
    }
  }

  private void show(String sink, String key) {
    byte[] encoded = task().states().bytes(key);
    S state = task().states().get(key);
    if (encoded == null || state == null) {
      throw new IllegalStateException("expected the state of '" + key + "' that was just kept");
    }
    Object snapshot = subject.snapshot(state, encoded, fold().partition());
    if (snapshot != null) {
      forward(sink, key, codec.encode(snapshot, state, encoded), ownPartition());
    }
  }

  private void forward(String sink, String key, Object value, int toPartition) {
    forward(sink, key, codec.encode(value), toPartition);
  }

  private void forward(String sink, String key, byte[] value, int toPartition) {
    context()
        .forward(
            new Record<>(
                new Address(key.getBytes(UTF_8), toPartition),
                value,
                context().currentSystemTimeMs()),
            sink);
  }

  private int ownPartition() {
    return context().taskId().partition();
  }

  private ProcessorContext<Address, byte[]> context() {
    return task().context();
  }

  private PartitionFold<S> fold() {
    return task().fold();
  }

  private Task<S> task() {
    Task<S> task = taskOrNull;
    if (task == null) {
      throw new IllegalStateException("expected init before anything else");
    }
    return task;
  }
}
