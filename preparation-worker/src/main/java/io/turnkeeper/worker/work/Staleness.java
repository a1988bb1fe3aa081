package io.turnkeeper.worker.work;

import io.turnkeeper.authority.Head;
import java.util.Optional;
import org.lance.Dataset;

/** The last look at a preparation before it is committed. */
public final class Staleness {
  private Staleness() {}

  /**
   * Says why {@code prepared} can no longer be published, or nothing if it can.
   *
   * @param fresh the table as it is now, opened under the turn
   * @param head what the authority says of it
   */
  public static Optional<String> of(Prepared prepared, Dataset fresh, Head head)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> {
          String stale = prepared.staleness(fresh, head);
          return Optional.ofNullable(stale != null ? stale : prepared.files().difference());
        });
  }
}
