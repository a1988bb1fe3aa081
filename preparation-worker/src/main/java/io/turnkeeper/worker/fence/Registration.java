package io.turnkeeper.worker.fence;

import io.turnkeeper.core.TableId;
import io.turnkeeper.worker.authority.Authority;
import io.turnkeeper.worker.authority.Deadline;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Brings a Lance table under maintenance: its head and its location begin to exist together. */
@SuppressWarnings("DoNotCallSuggester")
public final class Registration {
  final Authority authority;
  final BufferAllocator allocator;

  public Registration(Authority authority, BufferAllocator allocator) {
    this.authority = authority;
    this.allocator = allocator;
  }

  /** Adopts the table that lies at {@code path} at its newest version. */
  public RegistrationOutcome adopt(TableId table, String path, Deadline deadline) {
    throw new UnsupportedOperationException();
  }

  /** Creates an empty table at {@code path}, unless there is one, and adopts it. */
  public RegistrationOutcome create(TableId table, String path, Schema schema, Deadline deadline) {
    throw new UnsupportedOperationException();
  }
}
