package io.turnkeeper.events.wal;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.time.Clock;
import java.util.NavigableSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one shard of a table's log. Append batches, then {@link #seal}: what is sealed will be in
 * the table exactly once; what is not sealed when the writer ends never was. For one thread.
 */
public final class WalWriter implements AutoCloseable {
  /** The largest generation; a merge takes at least one whole generation at a time. */
  public static final long MAX_GENERATION_BYTES = 1L << 30;

  private static final Logger LOGGER = LoggerFactory.getLogger(WalWriter.class);

  private final TableId table;
  private final long tableIncarnation;
  private final ShardId shard;
  private final WalFolder folder;
  private final Function<WalSealed, CompletableFuture<RecordMetadata>> announcer;
  private final Clock clock;
  private final String writerId = UUID.randomUUID().toString();
  private final long epoch;
  private WalMark mark;
  private @Nullable OpenGeneration open;
  private @Nullable WalMark finished;
  private SealOutcome.@Nullable Fenced fenced;

  private WalWriter(
      TableId table,
      long tableIncarnation,
      ShardId shard,
      WalFolder folder,
      Function<WalSealed, CompletableFuture<RecordMetadata>> announcer,
      Clock clock,
      WalMark mark) {
    this.table = table;
    this.tableIncarnation = tableIncarnation;
    this.shard = shard;
    this.folder = folder;
    this.announcer = announcer;
    this.clock = clock;
    this.mark = mark;
    this.epoch = mark.writerEpoch() + 1;
  }

  /**
   * Takes over a shard: its epoch is the highest so far + 1, its first generation the newest + 1.
   * The newest mark is announced again, in case its writer died before it could.
   *
   * @param tableIncarnation which creation of the table this is the log of, as it was registered
   * @param walUri a path or a URI, which need not exist; reached as {@link Storage#at} says
   * @param announcer sends the event, for example {@code producer::publish}
   * @throws IllegalArgumentException if the incarnation is below 1; nothing was touched then
   */
  public static WalWriter open(
      TableId table,
      long tableIncarnation,
      String walUri,
      ShardId shard,
      Function<WalSealed, CompletableFuture<RecordMetadata>> announcer,
      Clock clock)
      throws IOException {
    return open(table, tableIncarnation, Storage.at(walUri), shard, announcer, clock);
  }

  /** The same for a log that is reached otherwise than this process is told. */
  public static WalWriter open(
      TableId table,
      long tableIncarnation,
      Storage log,
      ShardId shard,
      Function<WalSealed, CompletableFuture<RecordMetadata>> announcer,
      Clock clock)
      throws IOException {
    Require.positive("tableIncarnation", tableIncarnation);
    WalFolder folder = new WalFolder(log, shard);
    folder.clear();
    WalMark mark = WalScan.newest(folder);
    WalWriter writer =
        new WalWriter(table, tableIncarnation, shard, folder, announcer, clock, mark);
    if (!mark.isEmpty()) {
      CompletableFuture<RecordMetadata> unused = writer.announce(mark);
    }
    return writer;
  }

  /** The newest generation in the log that this writer knows of, with what lies before it. */
  public WalMark mark() {
    return mark;
  }

  public long writerEpoch() {
    return epoch;
  }

  /** Rows that were appended and are not sealed. */
  public long unsealedRows() {
    return open == null ? 0 : open.rows();
  }

  /** Bytes that are not sealed. */
  public long unsealedBytes() throws IOException {
    return open == null || finished != null ? 0 : open.bytes();
  }

  /**
   * Adds the rows of a batch to the generation that is being written. The batch may be reused.
   *
   * @throws IllegalArgumentException if its columns are not those of the generation
   * @throws IllegalStateException if the generation is too large, must be sealed first or is fenced
   */
  public void append(VectorSchemaRoot batch) throws IOException {
    if (fenced != null || finished != null) {
      throw new IllegalStateException(
          fenced != null
              ? "expected a writer that has its shard, but " + fenced.reason()
              : "expected seal() to be repeated until it answers before anything is appended");
    }
    if (unsealedBytes() > MAX_GENERATION_BYTES) {
      throw new IllegalStateException(
          "expected a seal after " + MAX_GENERATION_BYTES + " bytes, but none came");
    }
    if (open == null) {
      long generation = mark.sealedThrough() + 1;
      open = OpenGeneration.begin(folder.draft(generation), batch.getSchema(), metadata(0, 0, 0));
    }
    open.append(batch);
  }

  /**
   * Makes everything appended durable as one generation and announces it. After an exception it can
   * be called again, which cannot apply twice; if the file itself could not be written it throws
   * again, and the rows since the last seal are not in the log.
   */
  public SealOutcome seal() throws IOException {
    if (fenced != null) {
      return fenced;
    }
    OpenGeneration generation = open;
    if (generation == null || generation.rows() == 0) {
      return new SealOutcome.Nothing();
    }
    WalMark next = finished == null ? finish(generation) : finished;
    String refusal = publish(generation, next.sealedThrough());
    if (refusal != null) {
      fenced = new SealOutcome.Fenced("WRITER_FENCED: " + refusal);
      return fenced;
    }
    SealOutcome.Sealed sealed =
        new SealOutcome.Sealed(
            next, generation.rows(), next.bytesThrough() - mark.bytesThrough(), announce(next));
    mark = next;
    finished = null;
    open = null;
    forget(generation);
    return sealed;
  }

  /** The temporary name is of no more use; if it stays, the next writer clears it away. */
  private void forget(OpenGeneration generation) {
    try {
      generation.close();
    } catch (IOException e) {
      LOGGER
          .atWarn()
          .addKeyValue("table", table)
          .addKeyValue("shard", shard)
          .addKeyValue("reason", e)
          .log("temporary file left behind");
    }
  }

  private WalMark finish(OpenGeneration generation) throws IOException {
    long bytes = mark.bytesThrough() + generation.end();
    long rows = mark.rowsThrough() + generation.rows();
    long now = clock.millis();
    generation.finish(metadata(rows, bytes, now));
    WalMark next = new WalMark(epoch, mark.sealedThrough() + 1, bytes, rows, now, writerId);
    finished = next;
    return next;
  }

  private WalMetadata metadata(long rowsThrough, long bytesThrough, long sealedAtMillis) {
    return new WalMetadata(
        epoch, writerId, mark.writerId(), rowsThrough, bytesThrough, sealedAtMillis);
  }

  /** Gives the generation its name, or says why somebody else has the shard. */
  private @Nullable String publish(OpenGeneration generation, long number) throws IOException {
    NavigableSet<Long> existing = folder.generations();
    if (!existing.contains(number) && !existing.isEmpty() && existing.last() > number) {
      return "generation " + existing.last() + " exists, this writer is only at " + number;
    }
    if (!generation.publish() && !folder.has(number)) {
      return "a later writer cleared away what was not sealed";
    }
    // The name may be there by an earlier call that failed after it.
    if (!writerOf(number).equals(writerId)) {
      return "generation " + number + " was written by somebody else";
    }
    return isSuperseded(number) ? "a later writer did not count generation " + number : null;
  }

  /**
   * Whether a later writer went on without this generation. The name of a merged generation that
   * was removed is free again, so a writer that slept since then can take it; its rows would lie
   * below the merged mark. A successor that did see this generation names its writer.
   */
  private boolean isSuperseded(long number) throws IOException {
    if (folder.generations().last() == number) {
      return false;
    }
    return !folder.has(number + 1)
        || !folder.read(number + 1).text(WalMetadata.FOLLOWS).equals(writerId);
  }

  private String writerOf(long number) throws IOException {
    return folder.read(number).text(WalMetadata.WRITER_ID);
  }

  private CompletableFuture<RecordMetadata> announce(WalMark sealed) {
    return announcer
        .apply(sealed.toEvent(table, tableIncarnation, shard, SealSource.WRITER))
        .whenComplete(
            (metadata, failure) -> {
              if (failure != null) {
                LOGGER
                    .atWarn()
                    .addKeyValue("table", table)
                    .addKeyValue("shard", shard)
                    .addKeyValue("reason", failure)
                    .log("sealed generation not announced; an observation will find it");
              }
            });
  }

  /** Ends the writer; what is not sealed is given up. */
  @Override
  public void close() throws IOException {
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
