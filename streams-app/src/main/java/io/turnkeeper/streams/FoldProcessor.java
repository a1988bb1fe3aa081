package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
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

  /** How often the timers are looked at. */
  private static final Duration PUNCTUATION = Duration.ofMillis(100);

  /** A tick is written at least this often, so that time is never older in the journal. */
  private static final long MAX_TICK_MILLIS = 10_000;

  /** How many due subjects one tick serves; the rest waits for the next. */
  private static final int MAX_DUE_PER_TICK = 200;

  /** An unchanged-looking table is shown again at most this often. */
  private static final long SNAPSHOT_MILLIS = 1_000;

  /** The longest reason in a header, in characters; a hostile key may be megabytes long. */
  private static final int MAX_REASON = 512;

  /** A rejected record is copied up to this size, which its topic takes with all headers. */
  private static final long MAX_COPIED_BYTES = 8 << 20;

  private final Subject<S> subject;
  private final ProcessorSinks sinks;
  private final RecordCodec codec;
  private final Settings settings;
  private final LongSupplier monotonicNanos;
  private final DueTimes due = new DueTimes();
  private final Map<String, Long> shownMillis = new HashMap<>();

  private @Nullable ProcessorContext<Address, byte[]> contextOrNull;
  private @Nullable KeyValueStore<byte[], byte[]> storeOrNull;
  private @Nullable TaskClock clockOrNull;
  private PartitionState partition = PartitionState.START;
  private boolean started;

  FoldProcessor(
      Subject<S> subject,
      ProcessorSinks sinks,
      RecordCodec codec,
      Settings settings,
      LongSupplier monotonicNanos) {
    this.subject = subject;
    this.sinks = sinks;
    this.codec = codec;
    this.settings = settings;
    this.monotonicNanos = monotonicNanos;
  }

  @Override
  public void init(ProcessorContext<Address, byte[]> context) {
    contextOrNull = context;
    storeOrNull = context.getStateStore(sinks.store());
    byte[] saved = store().get(bytes(Nodes.PARTITION_KEY));
    partition = saved == null ? PartitionState.START : read(saved, PartitionState.class);
    clockOrNull = new TaskClock(partition.atMillis(), context::currentSystemTimeMs, monotonicNanos);
    // What was due while nobody looked is due now; deciding again on what is not due says nothing.
    try (KeyValueIterator<byte[], byte[]> all = store().all()) {
      while (all.hasNext()) {
        KeyValue<byte[], byte[]> next = all.next();
        String key = new String(next.key, UTF_8);
        if (!key.equals(Nodes.PARTITION_KEY)) {
          due.set(key, partition.atMillis());
        }
      }
    }
    context.schedule(PUNCTUATION, PunctuationType.WALL_CLOCK_TIME, ignored -> punctuate());
  }

  @Override
  public void process(Record<byte[], byte[]> input) {
    start();
    RecordMetadata metadata =
        context().recordMetadata().orElseThrow(() -> new IllegalStateException("no metadata"));
    Source source = new Source(metadata.topic(), metadata.partition(), metadata.offset());
    if (partition.hasTaken(source)) {
      LOGGER.atWarn().addKeyValue("source", source).log("input was already folded, dropped");
      return;
    }
    try {
      journal(source, accepted(input, source));
    } catch (InvalidRecordException e) {
      reject(input, source, e);
    }
  }

  /** The record's event, if it belongs here. */
  private Event accepted(Record<byte[], byte[]> input, Source source)
      throws InvalidRecordException {
    if (input.value() == null || input.key() == null) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.NOT_SINGLE_OBJECT,
          "expected a key and a value, but "
              + (input.value() == null ? "value" : "key")
              + " is null");
    }
    Event event = codec.decode(input.value(), Event.class);
    if (!subject.concerns(event) || !sinks.belongsOn(event, source.topic())) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNEXPECTED_TYPE,
          "expected an event of topic "
              + source.topic()
              + ", but it is a "
              + event.getClass().getSimpleName());
    }
    String subjectKey = subject.keyOf(event);
    if (subjectKey != null && subjectKey.startsWith("_")) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.OUT_OF_RANGE,
          "expected no reserved id, but it is '" + subjectKey + "'");
    }
    byte[] expected = bytes(subject.recordKeyOf(event));
    if (!Arrays.equals(expected, input.key())) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.WRONG_KEY,
          "expected the key '"
              + subject.recordKeyOf(event)
              + "', but it is '"
              + new String(input.key(), UTF_8)
              + "'");
    }
    int home = sinks.homeOf(expected);
    if (subjectKey != null && home != source.partition()) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.WRONG_PARTITION,
          "expected the key on partition "
              + home
              + ", but it came on "
              + source.partition()
              + ": set the producer's partitioner to murmur2 (librdkafka: partitioner=murmur2)");
    }
    return event;
  }

  private void reject(Record<byte[], byte[]> input, Source source, InvalidRecordException e) {
    Headers headers = new RecordHeaders(input.headers());
    headers.add("turnkeeper_code", bytes(e.code().name()));
    headers.add("turnkeeper_reason", bytes(shortened(String.valueOf(e.getMessage()))));
    headers.add("turnkeeper_topic", bytes(source.topic()));
    headers.add("turnkeeper_partition", bytes(Integer.toString(source.partition())));
    headers.add("turnkeeper_offset", bytes(Long.toString(source.offset())));
    LOGGER
        .atWarn()
        .addKeyValue("code", e.code())
        .addKeyValue("source", source)
        .addKeyValue("reason", e.getMessage())
        .log("record rejected");
    boolean fits = size(input.key()) + size(input.value()) <= MAX_COPIED_BYTES;
    if (!fits) {
      // The topic could not take it; its place and size are kept, and the input topic has the rest.
      headers.add("turnkeeper_bytes", bytes(Long.toString(size(input.value()))));
    }
    context()
        .forward(
            new Record<>(
                new Address(fits ? input.key() : null, fits ? Address.BY_KEY : source.partition()),
                fits ? input.value() : new byte[0],
                context().currentSystemTimeMs(),
                headers),
            sinks.rejected());
  }

  private static long size(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static String shortened(String text) {
    return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON) + "…";
  }

  private void punctuate() {
    start();
    long at = clock().millis();
    boolean someDue = due.isDue(at);
    if (someDue || at - partition.atMillis() >= MAX_TICK_MILLIS) {
      take(null, new PartitionEvent.Tick());
    }
  }

  /** Every start is an entry: settings may have changed, and no time was observed before it. */
  private void start() {
    if (started) {
      return;
    }
    started = true;
    if (clock().gapMillis() != 0) {
      take(null, new PartitionEvent.ClockGap(clock().gapMillis()));
    }
    take(null, new PartitionEvent.SettingsApplied(settings));
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
    long at = Math.max(partition.atMillis(), clock().millis());
    JournalEntry entry = new JournalEntry(partition.sequence() + 1, at, source, event);
    PartitionState after = partition.after(entry);
    String key = subject.concerns(event) ? subject.keyOf(event) : null;
    Conclusion<S> conclusion;
    try {
      conclusion = key == null ? null : conclude(key, event, after);
    } catch (IllegalArgumentException | IllegalStateException | ArithmeticException e) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.NOT_FOLDABLE, "the rules cannot take it: " + e, e);
    }
    partition = after;
    store().put(bytes(Nodes.PARTITION_KEY), codec.encode(partition));
    forward(
        sinks.journal(),
        key == null ? Nodes.PARTITION_KEY : key,
        entry,
        context().taskId().partition());
    if (conclusion != null) {
      record(conclusion);
    } else if (event instanceof PartitionEvent.Tick) {
      due.takeDue(at, MAX_DUE_PER_TICK).forEach(this::lookAgain);
    } else {
      due.sweep(); // Settings or defaults changed: everybody is looked at, in steps.
    }
  }

  /** One subject that the rules fail on must not stop the others of its partition. */
  private void lookAgain(String key) {
    Conclusion<S> conclusion;
    try {
      byte[] saved = store().get(bytes(key));
      Event overdue =
          saved == null ? null : subject.overdue(read(saved, subject.stateType()), partition);
      if (overdue != null) {
        journal(null, overdue);
        return;
      }
      conclusion = conclude(key, null, partition);
    } catch (InvalidRecordException
        | IllegalArgumentException
        | IllegalStateException
        | ArithmeticException e) {
      LOGGER.atError().addKeyValue("table", key).setCause(e).log("the rules failed, left as it is");
      return;
    }
    record(conclusion);
  }

  /** What follows from an event, or from time alone; nothing is written yet. */
  private Conclusion<S> conclude(String key, @Nullable Event event, PartitionState at) {
    Now now = at.now();
    byte[] saved = store().get(bytes(key));
    S before = saved == null ? subject.unknown(key) : read(saved, subject.stateType());
    S after = event == null ? before : subject.fold(event, before, now);
    List<? extends Decided<? extends Decision>> decisions = subject.decide(after, at, now);
    for (Decided<? extends Decision> decided : decisions) {
      after = subject.apply(decided.decision(), after, now);
    }
    byte[] encoded = saved == null || !after.equals(before) ? codec.encode(after) : null;
    return new Conclusion<>(key, after, encoded, decisions, subject.nextDueMillis(after, at, now));
  }

  private void record(Conclusion<S> conclusion) {
    String key = conclusion.key();
    int index = 0;
    for (Decided<? extends Decision> decided : conclusion.decisions()) {
      record(key, index++, decided);
    }
    due.set(key, conclusion.nextDueMillis());
    byte[] encoded = conclusion.encoded();
    if (encoded != null) {
      store().put(bytes(key), encoded);
      show(key, conclusion.state(), encoded, !conclusion.decisions().isEmpty());
    }
  }

  private void record(String key, int index, Decided<? extends Decision> decided) {
    int own = context().taskId().partition();
    forward(
        sinks.decision(),
        key,
        new DecisionRecord(
            own,
            partition.sequence(),
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
      context().commit(); // Somebody waits for this one.
    }
  }

  private void show(String key, S state, byte[] encoded, boolean decided) {
    String sink = sinks.state();
    long last = shownMillis.getOrDefault(key, 0L);
    if (sink == null || (!decided && partition.atMillis() - last < SNAPSHOT_MILLIS)) {
      return;
    }
    Object snapshot = subject.snapshot(state, encoded, partition.sequence());
    if (snapshot != null) {
      shownMillis.put(key, partition.atMillis());
      forward(sink, key, snapshot, context().taskId().partition());
    }
  }

  private void forward(String sink, String key, Object value, int toPartition) {
    context()
        .forward(
            new Record<>(
                new Address(bytes(key), toPartition),
                codec.encode(value),
                context().currentSystemTimeMs()),
            sink);
  }

  private <T> T read(byte[] saved, Class<T> type) {
    try {
      return codec.decode(saved, type);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException(
          "expected a " + type.getSimpleName() + " in store " + sinks.store(), e);
    }
  }

  private ProcessorContext<Address, byte[]> context() {
    return initialised(contextOrNull);
  }

  private KeyValueStore<byte[], byte[]> store() {
    return initialised(storeOrNull);
  }

  private TaskClock clock() {
    return initialised(clockOrNull);
  }

  private static <T> T initialised(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("expected init before anything else");
    }
    return value;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
