package io.turnkeeper.local.demo;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.wal.SealOutcome;
import io.turnkeeper.events.wal.WalWriter;
import io.turnkeeper.local.verify.SealRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** One of the demo's writers: seals generations into its shard and writes down what it sealed. */
final class DemoWriter implements AutoCloseable {
  private static final int LOAD_ROWS = 100_000;
  private static final int BATCH_ROWS = 20_000;
  private static final Duration FLUSH_INTERVAL = Duration.ofMillis(200);
  private static final Duration ANNOUNCE_TIMEOUT = Duration.ofSeconds(60);

  private final String shard;
  private final RowSource rows;
  private final WalWriter wal;
  private final SealRecord record;
  private final GenerationSizes sizes;
  private final AtomicLong rowsSealed = new AtomicLong();
  private long nextNumber;

  private DemoWriter(
      String shard, RowSource rows, WalWriter wal, SealRecord record, long nextNumber) {
    this.shard = shard;
    this.nextNumber = nextNumber;
    this.rows = rows;
    this.wal = wal;
    this.record = record;
    this.sizes = new GenerationSizes(shard.hashCode());
  }

  static DemoWriter open(
      DemoTable table,
      String shard,
      Path data,
      Path recordFile,
      EventProducer producer,
      BufferAllocator allocator)
      throws IOException {
    RowSource rows = RowSource.open(data, allocator);
    // A record that is there already is gone on with, so that ids stay unique.
    long nextNumber = SealRecord.read(recordFile).stream().mapToLong(SealRecord.Sealed::rows).sum();
    return new DemoWriter(
        shard,
        rows,
        WalWriter.open(
            table.id(),
            table.incarnation(),
            table.wal(),
            new ShardId(shard),
            producer::publish,
            Clock.systemUTC()),
        SealRecord.open(recordFile),
        nextNumber);
  }

  /** Rows that are sealed and written down. */
  long rowsSealed() {
    return rowsSealed.get();
  }

  /** Seals this many rows in large generations, as fast as the disk takes them. */
  void load(long count) throws Exception {
    for (long left = count; left > 0; left -= Math.min(left, LOAD_ROWS)) {
      seal((int) Math.min(left, LOAD_ROWS));
    }
  }

  /** Seals one generation in each flush interval, until {@code duration} is over. */
  void write(Duration duration) throws Exception {
    long end = System.nanoTime() + duration.toNanos();
    long next = System.nanoTime();
    while (System.nanoTime() < end) {
      seal(sizes.next());
      next += FLUSH_INTERVAL.toNanos();
      TimeUnit.NANOSECONDS.sleep(Math.max(0, next - System.nanoTime()));
    }
  }

  private void seal(int count) throws Exception {
    for (int appended = 0; appended < count; ) {
      int limit = Math.min(count - appended, BATCH_ROWS);
      try (VectorSchemaRoot batch = rows.next(limit, shard, nextNumber + appended)) {
        wal.append(batch);
        appended += batch.getRowCount();
      }
    }
    SealOutcome.Sealed sealed = wal.seal().match(new MustBeSealed());
    announced(sealed);
    record.add(new SealRecord.Sealed(shard, sealed.generation(), count, nextNumber));
    nextNumber += count;
    rowsSealed.addAndGet(count);
  }

  private static void announced(SealOutcome.Sealed sealed) throws Exception {
    try {
      sealed.announced().get(ANNOUNCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException("the broker did not take the seal: " + e.getCause(), e);
    }
  }

  @Override
  public void close() throws IOException {
    wal.close();
    record.close();
    rows.close();
  }

  /** The shards are this process's own, so any other outcome is a bug. */
  private static final class MustBeSealed implements SealOutcome.Cases<SealOutcome.Sealed> {
    @Override
    public SealOutcome.Sealed sealed(SealOutcome.Sealed outcome) {
      return outcome;
    }

    @Override
    public SealOutcome.Sealed nothing(SealOutcome.Nothing outcome) {
      throw new IllegalStateException("expected rows to seal, but there are none");
    }

    @Override
    public SealOutcome.Sealed fenced(SealOutcome.Fenced outcome) {
      throw new IllegalStateException("expected to own the shard, but " + outcome.reason());
    }
  }
}
