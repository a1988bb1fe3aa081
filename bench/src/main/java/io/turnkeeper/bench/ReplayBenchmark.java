package io.turnkeeper.bench;

import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.Replay;
import io.turnkeeper.streams.ReplayOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A journal gone through again from its records: decoded and folded, or decided again as well. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xmx2g", "-XX:+UseSerialGC"})
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class ReplayBenchmark {
  private static final int TABLES = 1_000;
  private static final int ENTRIES = 100_000;

  /** Whether each decision is made again. */
  @Param({"false", "true"})
  public boolean verify;

  private final RecordCodec codec = new RecordCodec();
  private final List<Recorded> history = new ArrayList<>();

  /** One step as its records' values. */
  private record Recorded(byte[] entry, List<byte[]> decisions) {}

  /** Seals and merges of many tables. */
  @Setup
  public void record() {
    for (JournalStep step : HistoryOfMerges.of(TABLES, ENTRIES).subList(0, ENTRIES)) {
      List<byte[]> decisions = step.decisions().stream().map(codec::encode).toList();
      history.add(new Recorded(codec.encode(step.entry()), decisions));
    }
  }

  /** The whole journal, counted in entries. */
  @Benchmark
  @OperationsPerInvocation(ENTRIES)
  public long replay() throws InvalidRecordException, ConfigException {
    Replay<TableState> replay =
        Replay.ofTables(codec, ReplayOptions.of(verify, null, null), List.of());
    for (Recorded step : history) {
      List<DecisionRecord> decisions = new ArrayList<>(step.decisions().size());
      for (byte[] decision : step.decisions()) {
        decisions.add(codec.decode(decision, DecisionRecord.class));
      }
      replay.take(new JournalStep(0, codec.decode(step.entry(), JournalEntry.class), decisions));
    }
    if (replay.difference() != null || replay.entries() != ENTRIES) {
      throw new IllegalStateException("expected the same again, but " + replay.difference());
    }
    return replay.decisions();
  }
}
