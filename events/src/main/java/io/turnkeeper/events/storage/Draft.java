package io.turnkeeper.events.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;

/** A file that is being written and has no name yet. */
public interface Draft extends Closeable {
  /** Where to write, in any order, before it is published. */
  SeekableByteChannel channel();

  /**
   * Makes what was written durable and gives it its name, in one step. After an exception it can be
   * called again, which cannot apply twice; if the content itself could not be made durable it
   * throws again.
   *
   * @return false if it was not this call that gave the name: there is a file of that name, which
   *     an earlier call may have made, or somebody deleted the draft
   */
  boolean publish() throws IOException;

  /** Gives up what has no name. A published file stays. */
  @Override
  void close() throws IOException;
}
