package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import org.jspecify.annotations.Nullable;

/**
 * Takes a table out of maintenance; its files stay. What is committed becomes visible first: after
 * the drop nobody knows of it, and whoever registers the directory again adopts what is visible.
 */
public final class Deregistration {
  private final Authority authority;

  public Deregistration(Authority authority) {
    this.authority = authority;
  }

  /** Drops the table; the outcome holds the head it had. */
  public RegistrationOutcome drop(TableId table, Deadline deadline) {
    OperatorTurn turn = OperatorTurn.take(authority, table, deadline);
    HeldTurn held = turn.held();
    if (held == null) {
      return refused(turn.refusal());
    }
    try {
      // A table whose files are gone can be dropped all the same.
      Refusal refusal = new Versions(Manifests.at(held.head().uri())).materialise(held.head());
      if (refusal != null && refusal.code() == FailureCode.IO) {
        return refused(refusal);
      }
      return authority.drop(held, deadline)
          ? new RegistrationOutcome.Registered(held.head(), false, "")
          : refused(new Refusal(FailureCode.TURN_LOST, "somebody took the turn meanwhile"));
    } catch (AuthorityUnavailableException e) {
      return refused(
          new Refusal(FailureCode.AUTHORITY_UNAVAILABLE, String.valueOf(e.getMessage())));
    } finally {
      authority.release(held, deadline);
    }
  }

  private static RegistrationOutcome refused(@Nullable Refusal refusal) {
    return refusal == null
        ? new RegistrationOutcome.Refused(FailureCode.TURN_LOST, "no turn was to be had")
        : new RegistrationOutcome.Refused(refusal.code(), refusal.message());
  }
}
