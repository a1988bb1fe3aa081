package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.Assignment.RunUnit;
import org.apache.arrow.memory.BufferAllocator;

/** The expensive part of one kind of work. It can write files, and cannot commit. */
@FunctionalInterface
public interface Work {
  /**
   * Prepares {@code unit} at the table's newest version. What it wrote is deleted if it fails.
   *
   * @throws WorkFailedException saying what is wrong
   * @throws WorkCancelledException if {@code progress} said so
   */
  Preparation prepare(RunUnit unit, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException;
}
