package io.turnkeeper.worker.wal;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Checks what a batch claims of its body before the body is read: a reader of Arrow believes the
 * numbers, and would allocate gigabytes for a damaged one.
 */
final class BatchMetadata {
  private static final int BITS_PER_BYTE = 8;

  private BatchMetadata() {}

  static long rows(Message message) {
    return batch(message).length();
  }

  /** What is wrong, or null. */
  static @Nullable String fault(Message message) {
    RecordBatch batch = batch(message);
    long body = message.bodyLength();
    if (batch.compression() != null) {
      return "is compressed, which is not supported";
    }
    if (!isPossible(batch.length(), body)) {
      return "claims " + batch.length() + " rows in " + body + " bytes";
    }
    for (int i = 0; i < batch.nodesLength(); i++) {
      FieldNode node = batch.nodes(i);
      long nulls = node.nullCount();
      if (!isPossible(node.length(), body) || nulls < 0 || nulls > node.length()) {
        return "claims " + node.length() + " values in " + body + " bytes";
      }
    }
    for (int i = 0; i < batch.buffersLength(); i++) {
      Buffer buffer = batch.buffers(i);
      boolean inside =
          buffer.offset() >= 0
              && buffer.length() >= 0
              && buffer.offset() <= body
              && buffer.length() <= body - buffer.offset();
      if (!inside) {
        return "has a buffer outside its " + body + " bytes";
      }
    }
    return null;
  }

  /** No column keeps a value in less than a bit. */
  private static boolean isPossible(long values, long bodyBytes) {
    return values >= 0 && values / BITS_PER_BYTE <= bodyBytes;
  }

  private static RecordBatch batch(Message message) {
    RecordBatch batch = (RecordBatch) message.header(new RecordBatch());
    if (batch == null) {
      throw new IllegalArgumentException("a batch without metadata");
    }
    return batch;
  }
}
