package io.turnkeeper.worker.trial;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The process that plays the holder: one for many trials, and a new one after it misbehaved. */
final class Holders implements AutoCloseable {
  private final URI etcd;
  private final String prefix;
  private final Path directory;
  private @Nullable HolderProcess current;

  Holders(URI etcd, String prefix, Path directory) {
    this.etcd = etcd;
    this.prefix = prefix;
    this.directory = directory;
  }

  HolderProcess current() throws IOException, InterruptedException {
    HolderProcess live = current;
    if (live == null) {
      live = HolderProcess.start(etcd, prefix, directory);
      current = live;
    }
    return live;
  }

  void replace() {
    close();
    current = null;
  }

  @Override
  public void close() {
    if (current != null) {
      current.close();
    }
  }
}
