package io.turnkeeper.worker.work;

import io.turnkeeper.worker.wal.GenerationFile;
import io.turnkeeper.worker.wal.InvalidWalException;
import io.turnkeeper.worker.wal.MergeStream;
import io.turnkeeper.worker.wal.RowChoice;
import io.turnkeeper.worker.wal.WalGenerations;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The rows of a merge's generations, to be read by Lance.
 *
 * @param rows how many there are
 * @param schema the table's columns, which are those of every generation
 */
record WalRows(
    WalGenerations wal,
    List<GenerationFile> generations,
    long rows,
    Schema schema,
    BufferAllocator allocator,
    Progress progress) {

  /** What reads the rows. */
  interface Sink<T> {
    T read(ArrowArrayStream stream) throws Exception;
  }

  /**
   * Streams the rows of {@code choice} into {@code sink}.
   *
   * @throws WorkFailedException if a generation cannot be decoded
   */
  <T> T into(RowChoice choice, Sink<T> sink) throws Exception {
    MergeStream stream =
        new MergeStream(
            allocator,
            wal,
            generations,
            schema,
            choice,
            (bytes, read) -> {
              progress.completed(bytes, 0, read, "merging generations");
              return !progress.cancelled();
            });
    T answer;
    // The exported stream closes the reader when its consumer is done with it.
    try (ArrowArrayStream exported = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(allocator, stream, exported);
      answer = sink.read(exported);
    }
    rethrowFailure(stream);
    progress.requireLive();
    return answer;
  }

  private static void rethrowFailure(MergeStream stream) throws WorkFailedException, IOException {
    try {
      stream.rethrowFailure();
    } catch (InvalidWalException e) {
      throw new WorkFailedException(e);
    }
  }
}
