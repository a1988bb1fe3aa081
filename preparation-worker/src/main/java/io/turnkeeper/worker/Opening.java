package io.turnkeeper.worker;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.worker.fence.OpenOutcome;
import io.turnkeeper.worker.work.WorkFailedException;
import org.jspecify.annotations.Nullable;

/** Turns a refused opening into the failure of the unit that asked for it. */
final class Opening<T> implements OpenOutcome.Cases<T, Opening.Answer<T>> {

  record Answer<T>(@Nullable T table, @Nullable WorkFailedException failure) {}

  private Opening() {}

  static <T> T required(OpenOutcome<T> outcome) throws WorkFailedException {
    Answer<T> answer = outcome.match(new Opening<>());
    if (answer.failure() != null) {
      throw answer.failure();
    }
    T table = answer.table();
    if (table == null) {
      throw new IllegalStateException("expected a table or a failure, but there is neither");
    }
    return table;
  }

  @Override
  public Answer<T> opened(T table) {
    return new Answer<>(table, null);
  }

  @Override
  public Answer<T> refused(FailureCode code, String message) {
    return new Answer<>(null, new WorkFailedException(code, message));
  }
}
