package io.turnkeeper.authority;

/** Every way the giving back of a turn can end; in each of them the caller holds it no longer. */
public sealed interface ReleaseOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R released(Released outcome);

    R notHeld(NotHeld outcome);

    R unknown(Unknown outcome);
  }

  /** The turn was held until now and is free. */
  record Released() implements ReleaseOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.released(this);
    }
  }

  /**
   * It was gone already: released with the last commit, preempted, expired, or given back by an
   * earlier asking whose answer was lost.
   */
  record NotHeld() implements ReleaseOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.notHeld(this);
    }
  }

  /** No answer; the turn ends at the latest with its lease, which is renewed no longer. */
  record Unknown(String message) implements ReleaseOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unknown(this);
    }
  }
}
