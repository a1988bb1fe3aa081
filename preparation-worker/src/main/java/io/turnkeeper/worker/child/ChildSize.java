package io.turnkeeper.worker.child;

/**
 * The memory of a process for preparations, from what was reserved for its unit. A few sizes only,
 * so that a process can serve one unit after the other.
 *
 * @param heapMib the most that Java objects may take
 */
record ChildSize(int heapMib) {
  static final ChildSize STANDARD = new ChildSize(128);

  private static final int LARGEST_HEAP_MIB = 2_048;
  private static final long MIB = 1 << 20;

  /** A reservation below this is not held against a process: it needs so much for itself. */
  private static final long LEAST_CEILING_BYTES = 512 * MIB;

  /** The smallest size whose heap is at least a quarter of the reservation. */
  static ChildSize of(long reservedBytes) {
    int heap = STANDARD.heapMib;
    while (heap < LARGEST_HEAP_MIB && heap * MIB < reservedBytes / 4) {
      heap *= 2;
    }
    return new ChildSize(heap);
  }

  /** With more memory than this a process is ended. */
  static long ceilingBytes(long reservedBytes) {
    return Math.max(reservedBytes, LEAST_CEILING_BYTES);
  }

  int directMib() {
    return 2 * heapMib;
  }
}
