package io.turnkeeper.authority;

import io.turnkeeper.core.FailureCode;
import org.jspecify.annotations.Nullable;

/** Every way a commit can end. */
public sealed interface CommitOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R committed(Committed outcome);

    R fenced(Fenced outcome);

    R unknown(Unknown outcome);
  }

  /**
   * The version exists. After the last commit of a turn {@code next} is no longer held: it can only
   * be refused.
   */
  record Committed(HeldTurn next, Head head) implements CommitOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.committed(this);
    }
  }

  /**
   * Nothing was committed, and this commit can never become real.
   *
   * @param head the head that was found, if the authority showed it
   */
  record Fenced(FailureCode code, String message, @Nullable Head head) implements CommitOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.fenced(this);
    }
  }

  /**
   * Whether the version exists cannot be told; nothing may be deleted. The head, or the table's own
   * history, decides later.
   */
  record Unknown(FailureCode code, String message) implements CommitOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unknown(this);
    }
  }
}
