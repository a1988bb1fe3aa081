package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.worker.wal.InvalidWalException;
import org.jspecify.annotations.Nullable;

/** A unit cannot go on; its code says what kind of trouble it is. */
public final class WorkFailedException extends Exception {
  private final FailureCode code;
  private final transient @Nullable BadGeneration badGeneration;

  public WorkFailedException(FailureCode code, String message) {
    super(message);
    this.code = code;
    this.badGeneration = null;
  }

  public WorkFailedException(FailureCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.badGeneration = null;
  }

  /** A failure that another process told. */
  public WorkFailedException(
      FailureCode code, String message, @Nullable BadGeneration badGeneration) {
    super(message);
    this.code = code;
    this.badGeneration = badGeneration;
  }

  public WorkFailedException(InvalidWalException cause) {
    super(String.valueOf(cause.getMessage()), cause);
    this.code = FailureCode.INVALID_WAL;
    this.badGeneration = new BadGeneration(cause.shard(), cause.generation());
  }

  public FailureCode code() {
    return code;
  }

  /** The generation that cannot be read, with {@link FailureCode#INVALID_WAL}. */
  public @Nullable BadGeneration badGeneration() {
    return badGeneration;
  }

  /** The message, never null. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
