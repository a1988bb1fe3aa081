package io.turnkeeper.worker.work;

/** How a preparation ended. */
public sealed interface Preparation {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R ready(Prepared prepared);

    R nothing(long version, String reason);
  }

  /** It waits to be published. */
  record Ready(Prepared prepared) implements Preparation {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.ready(prepared);
    }
  }

  /** There is nothing to do at {@code version}. */
  record Nothing(long version, String reason) implements Preparation {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nothing(version, reason);
    }
  }
}
