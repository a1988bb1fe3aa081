package io.turnkeeper.worker.fence;

import org.lance.Dataset;

/** A call of Lance that commits by itself, once or several times. */
@FunctionalInterface
public interface NativeCommits {
  /** Runs the call on {@code dataset}; whatever Lance throws is passed on. */
  void run(Dataset dataset);
}
