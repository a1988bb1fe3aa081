package io.turnkeeper.worker.wal;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Many generations as one stream of batches with the table's schema, so that many small generations
 * become few fragments.
 *
 * <p>When something is wrong the stream ends early and remembers why, instead of throwing into the
 * writer: a writer that ends normally names the files it made, so that exactly those can be
 * deleted.
 */
public final class MergeStream extends ArrowReader {
  /** Told after each batch; a refusal ends the stream. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A batch was read.
     *
     * @return whether to go on
     */
    boolean read(long bytes, long rows);
  }

  /** Takes every row. */
  public static final RowChoice ALL = row -> true;

  private final WalGenerations wal;
  private final Schema schema;
  private final Deque<GenerationFile> pending;
  private final RowChoice choice;
  private final Listener listener;
  private @Nullable GenerationBatches current;
  private @Nullable Exception failure;
  private boolean stopped;
  private long finishedBytes;
  private long finishedRows;

  public MergeStream(
      BufferAllocator allocator,
      WalGenerations wal,
      List<GenerationFile> files,
      Schema table,
      RowChoice choice,
      Listener listener) {
    super(allocator);
    this.wal = wal;
    this.schema = table;
    this.pending = new ArrayDeque<>(files);
    this.choice = choice;
    this.listener = listener;
  }

  /**
   * Throws what ended the stream early.
   *
   * @throws InvalidWalException if a generation could not be decoded
   * @throws IOException if reading failed otherwise
   */
  public void rethrowFailure() throws InvalidWalException, IOException {
    if (failure instanceof InvalidWalException invalid) {
      throw invalid;
    }
    if (failure instanceof IOException io) {
      throw io;
    }
    if (failure instanceof RuntimeException runtime) {
      throw runtime;
    }
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    try {
      return failure == null && !stopped && loadNext();
    } catch (InvalidWalException | IOException | RuntimeException e) {
      failure = e;
      return false;
    }
  }

  private boolean loadNext() throws InvalidWalException, IOException {
    while (true) {
      if (current == null) {
        GenerationFile next = pending.poll();
        if (next == null) {
          return false;
        }
        current = wal.open(next, schema, allocator);
      }
      long before = bytesRead();
      ArrowRecordBatch batch = current.next();
      if (batch != null) {
        return load(batch, before);
      }
      closeCurrent();
    }
  }

  private boolean load(ArrowRecordBatch batch, long bytesBefore) throws IOException {
    int rows = batch.getLength();
    loadRecordBatch(batch);
    if (choice != ALL) {
      TakenRows.keep(getVectorSchemaRoot(), choice, finishedRows);
    }
    finishedRows += rows;
    stopped = !listener.read(bytesRead() - bytesBefore, rows);
    return !stopped;
  }

  private void closeCurrent() throws IOException {
    GenerationBatches closing = current;
    if (closing != null) {
      finishedBytes += closing.bytesRead();
      current = null;
      closing.close();
    }
  }

  @Override
  public long bytesRead() {
    return finishedBytes + (current == null ? 0 : current.bytesRead());
  }

  @Override
  protected void closeReadSource() throws IOException {
    closeCurrent();
  }

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
