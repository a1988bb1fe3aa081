package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.Assignment.RunUnit;
import org.apache.arrow.memory.BufferAllocator;

/** The expensive part of one kind of work. It can write files, and cannot commit. */
@FunctionalInterface
public interface Work {
  /**
   * Prepares {@code unit} at the table's newest version. It writes into {@code staging} alone,
   * which is deleted if this fails.
   *
   * @throws WorkFailedException saying what is wrong
   * @throws WorkCancelledException if {@code progress} said so
   */
  Preparation prepare(RunUnit unit, Staging staging, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException;
}
