package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.FailureCode;

/** Every way the registration of a table can end. */
public sealed interface RegistrationOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R registered(Registered outcome);

    R refused(Refused outcome);
  }

  /**
   * The table has a head.
   *
   * @param created whether this call made the head; false if it was there before, at the same place
   * @param unsafe why INDEX and COMPACT are refused on it, empty if they are not; merges go on
   */
  record Registered(Head head, boolean created, String unsafe) implements RegistrationOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.registered(this);
    }
  }

  /** Nothing was registered; the message says what to do. */
  record Refused(FailureCode code, String message) implements RegistrationOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.refused(this);
    }
  }
}
