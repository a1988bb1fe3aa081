package io.turnkeeper.authority;

import io.turnkeeper.core.TableId;

/** Every way the taking of a turn can end. */
public sealed interface TakeOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R taken(Taken outcome);

    R staleTurn(StaleTurn outcome);

    R noSuchTable(NoSuchTable outcome);

    R unavailable(Unavailable outcome);
  }

  /** The turn is held; {@code head} is what it starts from. */
  record Taken(HeldTurn held, Head head) implements TakeOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.taken(this);
    }
  }

  /** The number is not higher than {@code head.highestTurn()}. */
  record StaleTurn(Head head) implements TakeOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.staleTurn(this);
    }
  }

  /** The table is not registered, or was dropped. */
  record NoSuchTable(TableId table) implements TakeOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.noSuchTable(this);
    }
  }

  /**
   * The authority did not answer in time. The turn may have been taken all the same: its number is
   * used up, and it ends with its lease.
   */
  record Unavailable(String reason) implements TakeOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unavailable(this);
    }
  }
}
