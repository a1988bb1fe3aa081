package io.turnkeeper.events.wal;

import io.turnkeeper.events.storage.Draft;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A generation that is being written to a draft. Batches go there as they come; the schema in front
 * of them is written again at the end, when its numbers are known. It is as long as before, since
 * they have a fixed width.
 */
final class OpenGeneration implements AutoCloseable {
  private final Draft draft;
  private final Schema schema;
  private final SeekableByteChannel channel;
  private final long headerBytes;
  private long rows;
  private boolean damaged;

  private OpenGeneration(Draft draft, Schema schema, WalMetadata unfinished) throws IOException {
    this.draft = draft;
    this.schema = schema;
    this.channel = draft.channel();
    this.headerBytes =
        MessageSerializer.serialize(new WriteChannel(channel), unfinished.in(schema));
  }

  /** Writes the schema; a draft that cannot take it is given up. */
  static OpenGeneration begin(Draft draft, Schema schema, WalMetadata unfinished)
      throws IOException {
    try {
      requireNoDictionaries(schema);
      return new OpenGeneration(draft, schema, unfinished);
    } catch (IOException | RuntimeException e) {
      draft.close();
      throw e;
    }
  }

  private static void requireNoDictionaries(Schema schema) {
    for (Field field : schema.getFields()) {
      if (field.getDictionary() != null) {
        throw new IllegalArgumentException(
            "expected plain columns, but " + field.getName() + " is dictionary-encoded");
      }
    }
  }

  /** Gives the generation its name, as {@link Draft#publish} does. */
  boolean publish() throws IOException {
    return draft.publish();
  }

  long rows() {
    return rows;
  }

  long bytes() throws IOException {
    return channel.position();
  }

  /** Adds the rows of a batch; after a failure the generation is as it was before. */
  void append(VectorSchemaRoot batch) throws IOException {
    if (!batch.getSchema().getFields().equals(schema.getFields())) {
      throw new IllegalArgumentException(
          "expected the columns " + schema.getFields() + ", but they are " + batch.getSchema());
    }
    requireUndamaged();
    long before = channel.position();
    damaged = true;
    try (ArrowRecordBatch unloaded = new VectorUnloader(batch).getRecordBatch()) {
      MessageSerializer.serialize(new WriteChannel(channel), unloaded);
      rows += batch.getRowCount();
      damaged = false;
    } finally {
      if (damaged) {
        channel.truncate(before);
        channel.position(before);
        damaged = false;
      }
    }
  }

  /** Ends the stream; returns the size of the whole file. */
  long end() throws IOException {
    requireUndamaged();
    damaged = true;
    ArrowStreamWriter.writeEndOfStream(new WriteChannel(channel), IpcOption.DEFAULT);
    return channel.position();
  }

  /** Fills in the numbers. */
  void finish(WalMetadata finished) throws IOException {
    channel.position(0);
    long written = MessageSerializer.serialize(new WriteChannel(channel), finished.in(schema));
    if (written != headerBytes) {
      throw new IllegalStateException(
          "expected a header of " + headerBytes + " bytes, but it has " + written);
    }
  }

  private void requireUndamaged() throws IOException {
    if (damaged) {
      throw new IOException(
          "expected the generation to be whole, but a write failed; open the writer anew");
    }
  }

  /** Gives up what has no name. A published generation stays. */
  @Override
  public void close() throws IOException {
    draft.close();
  }
}
