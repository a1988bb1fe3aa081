package io.turnkeeper.worker;

import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The memory that all attempts of a process may reserve together. An attempt takes its whole share
 * before it begins, or is given back: nobody waits for more while holding some.
 */
final class MemoryBudget {
  private final BufferAllocator root;
  private final long totalBytes;
  private long takenBytes;

  /**
   * Nothing is taken yet.
   *
   * @param root each share's buffers are allocated below it
   */
  MemoryBudget(BufferAllocator root, long totalBytes) {
    this.root = root;
    this.totalBytes = totalBytes;
  }

  /** A share of {@code bytes}, or null if so much is not left. */
  synchronized @Nullable Share take(String name, long bytes) {
    if (bytes > totalBytes - takenBytes) {
      return null;
    }
    takenBytes += bytes;
    return new Share(root.newChildAllocator(name, 0, Long.MAX_VALUE), bytes);
  }

  private synchronized void giveBack(long bytes) {
    takenBytes -= bytes;
  }

  /** What one attempt may use until it is closed. */
  final class Share implements AutoCloseable {
    private final BufferAllocator allocator;
    private long bytes;

    private Share(BufferAllocator allocator, long bytes) {
      this.allocator = allocator;
      this.bytes = bytes;
    }

    BufferAllocator allocator() {
      return allocator;
    }

    /**
     * Gives it back.
     *
     * @throws IllegalStateException if buffers were leaked; the share is free all the same
     */
    @Override
    public void close() {
      giveBack(bytes);
      bytes = 0;
      allocator.close();
    }
  }
}
