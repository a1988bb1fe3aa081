package io.turnkeeper.worker.fence;

import io.turnkeeper.core.FailureCode;

/** Every way the opening of a table can end. */
public sealed interface OpenOutcome<T> {
  <R> R match(Cases<T, R> cases);

  /** One method for each outcome. */
  interface Cases<T, R> {
    R opened(T table);

    R refused(FailureCode code, String message);
  }

  /** The table is open; the caller closes it. */
  record Opened<T>(T table) implements OpenOutcome<T> {
    @Override
    public <R> R match(Cases<T, R> cases) {
      return cases.opened(table);
    }
  }

  /** The table cannot be opened; a turn that is held stays held. */
  record Refused<T>(FailureCode code, String message) implements OpenOutcome<T> {
    @Override
    public <R> R match(Cases<T, R> cases) {
      return cases.refused(code, message);
    }
  }
}
