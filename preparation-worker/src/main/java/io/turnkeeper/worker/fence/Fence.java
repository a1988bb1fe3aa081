package io.turnkeeper.worker.fence;

import io.turnkeeper.core.TableId;
import io.turnkeeper.worker.authority.Authority;
import io.turnkeeper.worker.authority.Deadline;
import io.turnkeeper.worker.authority.HeldTurn;
import org.apache.arrow.memory.BufferAllocator;

/** Opens tables at the version the authority calls their newest: to publish, or only to read. */
@SuppressWarnings("DoNotCallSuggester")
public final class Fence {
  final Authority authority;
  final CrashPoint crashPoint;

  public Fence(Authority authority) {
    this(authority, CrashPoint.NONE);
  }

  public Fence(Authority authority, CrashPoint crashPoint) {
    this.authority = authority;
    this.crashPoint = crashPoint;
  }

  /**
   * Opens the table of a turn that was just taken, on a fresh handle at the turn's head. A version
   * that was committed and not materialised is materialised first.
   *
   * @param uri where the caller believes the table to lie; refused if it belongs to another
   * @param deadline bounds the opening and every commit
   */
  public OpenOutcome<FencedTable> open(
      HeldTurn held, String uri, BufferAllocator allocator, Deadline deadline) {
    throw new UnsupportedOperationException();
  }

  /** Opens the table for reading, pinned at the head. Its handle refuses every commit. */
  public OpenOutcome<TableSnapshot> read(
      TableId table, BufferAllocator allocator, Deadline deadline) {
    throw new UnsupportedOperationException();
  }
}
