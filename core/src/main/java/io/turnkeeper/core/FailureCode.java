package io.turnkeeper.core;

/** Why a unit did not end as wished; each code has one class, and the class decides the retry. */
public enum FailureCode {
  STALE_PREPARATION(FailureClass.STALE),
  STALE_TURN(FailureClass.STALE),
  TURN_LOST(FailureClass.STALE),
  CONFLICT(FailureClass.STALE),
  IO(FailureClass.RETRYABLE),
  TIMEOUT(FailureClass.RETRYABLE),
  STALLED(FailureClass.RETRYABLE),
  CLAIM_TIMEOUT(FailureClass.RETRYABLE),
  EXECUTOR_LOST(FailureClass.RETRYABLE),
  PROCESS_KILLED(FailureClass.RETRYABLE),
  AUTHORITY_UNAVAILABLE(FailureClass.RETRYABLE),
  CANCELLED(FailureClass.RETRYABLE),
  DRAINING(FailureClass.RETRYABLE),
  NO_SLOT(FailureClass.RETRYABLE),
  NO_MEMORY(FailureClass.RETRYABLE),
  UNKNOWN(FailureClass.RETRYABLE),
  OUTCOME_UNKNOWN(FailureClass.OWNERSHIP),
  MISSING_FILE(FailureClass.DATA),
  CORRUPT_FILE(FailureClass.DATA),
  SCHEMA_CHANGED(FailureClass.DATA),
  INDEX_DISAGREES(FailureClass.DATA),
  FORKED_HISTORY(FailureClass.DATA),
  INVALID_WAL(FailureClass.DATA),
  WRITER_FENCED(FailureClass.DATA),
  PERMISSION_DENIED(FailureClass.CONFIG),
  NO_SUCH_TABLE(FailureClass.CONFIG),
  BAD_POLICY(FailureClass.CONFIG),
  NEEDS_MORE_MEMORY(FailureClass.CONFIG),
  UNSAFE_TABLE(FailureClass.CONFIG),
  TOO_MANY_SHARDS(FailureClass.CONFIG),
  NOTHING_TO_DO(FailureClass.NOOP),
  SUPERSEDED(FailureClass.NOOP);

  /** How a code is retried. */
  public enum FailureClass {
    STALE,
    RETRYABLE,
    OWNERSHIP,
    DATA,
    CONFIG,
    NOOP
  }

  private final FailureClass failureClass;

  FailureCode(FailureClass failureClass) {
    this.failureClass = failureClass;
  }

  public FailureClass failureClass() {
    return failureClass;
  }

  /** Whether it ends no more than a turn: what was prepared is as good for the next one. */
  public boolean endsOnlyTheTurn() {
    return this == STALE_TURN || this == TURN_LOST || this == AUTHORITY_UNAVAILABLE;
  }

  /** The code of that name; a name from a newer worker is {@link #UNKNOWN}, which is retried. */
  public static FailureCode of(String name) {
    for (FailureCode code : values()) {
      if (code.name().equals(name)) {
        return code;
      }
    }
    return UNKNOWN;
  }
}
