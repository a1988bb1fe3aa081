package io.turnkeeper.authority;

import io.turnkeeper.core.ExecutorId;

/** One start of an executor, known to the authority until it is closed, expires or is replaced. */
public interface ExecutorSession extends AutoCloseable {
  ExecutorId executor();

  /** Higher than that of every earlier start of the same executor. */
  long incarnation();

  /** Ends with {@link Lease.Loss#REPLACED} when a newer process took the id: stop all work then. */
  Lease lease();

  /** Gives the registration back; never throws. */
  @Override
  void close();
}
