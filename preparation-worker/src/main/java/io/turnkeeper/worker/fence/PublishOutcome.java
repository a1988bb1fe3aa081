package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import org.jspecify.annotations.Nullable;

/**
 * Every way a commit to a table can end. Whatever it is, the publisher releases the turn when it is
 * done: that does no harm if it is gone, and ends its lease if it is not.
 */
public sealed interface PublishOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R published(Published outcome);

    R conflict(Conflict outcome);

    R fenced(Fenced outcome);

    R unknown(Unknown outcome);
  }

  /** The versions up to {@code head.version()} exist, this call's among them. */
  record Published(HeldTurn next, Head head) implements PublishOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.published(this);
    }
  }

  /**
   * Lance refused the operation before it asked for a version; the turn is still held. Of a call
   * that makes several commits, earlier ones may exist: {@code held.head()} says so.
   */
  record Conflict(HeldTurn held, FailureCode code, String message) implements PublishOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.conflict(this);
    }
  }

  /**
   * The authority, or the fence, refused: the commit is not real and never will be.
   *
   * @param head the head that was found, if the authority showed it
   */
  record Fenced(FailureCode code, String message, @Nullable Head head) implements PublishOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.fenced(this);
    }
  }

  /** Whether the version exists cannot be told; nothing may be deleted. */
  record Unknown(FailureCode code, String message) implements PublishOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.unknown(this);
    }
  }
}
