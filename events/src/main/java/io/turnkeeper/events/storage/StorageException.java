package io.turnkeeper.events.storage;

import io.turnkeeper.core.FailureCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A storage refused or did not answer; its code tells which, and what to do about it. */
public final class StorageException extends IOException {
  private final FailureCode code;

  public StorageException(FailureCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public FailureCode code() {
    return code;
  }
}
