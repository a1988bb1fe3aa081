package io.turnkeeper.authority;

import io.turnkeeper.core.TableId;

/** Every way a registration can end. */
public sealed interface RegisterOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R registered(Registered outcome);

    R alreadyRegistered(AlreadyRegistered outcome);

    R registeredElsewhere(RegisteredElsewhere outcome);

    R locationTaken(LocationTaken outcome);

    R tooManyShards(TooManyShards outcome);

    R unavailable(Unavailable outcome);
  }

  /** The head exists now and names exactly what was asked. */
  record Registered(Head head) implements RegisterOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.registered(this);
    }
  }

  /** The table was registered before, at the same place. */
  record AlreadyRegistered(Head head) implements RegisterOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.alreadyRegistered(this);
    }
  }

  /** The id is in use for a table at another place, {@code head.uri()}. */
  record RegisteredElsewhere(Head head) implements RegisterOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.registeredElsewhere(this);
    }
  }

  /** The place belongs to another table. */
  record LocationTaken(TableId by) implements RegisterOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.locationTaken(this);
    }
  }

  /** The head would be larger than the authority keeps. */
  record TooManyShards(int shards, long headBytes, long limitBytes) implements RegisterOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.tooManyShards(this);
    }
  }

  /** The authority did not answer in time; asking again is safe. */
  record Unavailable(String reason) implements RegisterOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unavailable(this);
    }
  }
}
