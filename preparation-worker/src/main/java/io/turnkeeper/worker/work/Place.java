package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.Storage;

/** Where a table or a log lies. */
public final class Place {
  private Place() {}

  /**
   * The storage at {@code uri}.
   *
   * @param what what lies there, for the message
   * @throws WorkFailedException if nothing can lie there
   */
  public static Storage of(String what, String uri) throws WorkFailedException {
    try {
      return Storage.at(uri);
    } catch (IllegalArgumentException e) {
      throw new WorkFailedException(
          FailureCode.NO_SUCH_TABLE, "no place for a " + what + ": " + e.getMessage(), e);
    }
  }
}
