package io.turnkeeper.authority;

import java.util.concurrent.CompletionStage;

/**
 * The time for which the authority counts its holder as alive; renewed in the background. Only
 * liveness rests on it: a commit is fenced by revisions, whatever the lease says.
 */
public interface Lease {

  /** Why a lease is no longer there. */
  enum Loss {
    /** It could not be renewed in time; told before the authority ends it. */
    EXPIRED,
    /** The authority says that it is gone. */
    REVOKED,
    /** A newer process registered under the same executor id. */
    REPLACED,
    /** The holder gave it back. */
    CLOSED
  }

  /** Whether the holder may go on working. */
  boolean isLive();

  /**
   * Completes once, when the lease is lost or given back; never exceptionally. It completes on the
   * thread that renews all leases, so what follows on it must be short.
   */
  CompletionStage<Loss> lost();
}
