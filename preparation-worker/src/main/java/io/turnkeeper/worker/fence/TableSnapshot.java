package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Head;
import org.lance.Dataset;

/** A table opened for reading at the version the authority calls its newest. */
public record TableSnapshot(Head head, Dataset dataset) implements AutoCloseable {
  @Override
  public void close() {
    dataset.close();
  }
}
