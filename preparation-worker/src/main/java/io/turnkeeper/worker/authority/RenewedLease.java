package io.turnkeeper.worker.authority;

import io.turnkeeper.authority.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lease in etcd as its holder sees it. Its end is counted from the moment the last successful
 * renewal was sent, since etcd cannot have counted from an earlier one, and a margin is taken off.
 */
final class RenewedLease implements Lease {
  /** The share of the time to live by which the holder stops before etcd can end the lease. */
  private static final int MARGIN_DIVISOR = 6;

  private final long id;
  private final Duration ttl;
  private final CompletableFuture<Loss> lost = new CompletableFuture<>();
  private final AtomicBoolean revoked = new AtomicBoolean();
  private volatile long endNanos;

  RenewedLease(long id, Duration ttl, long sentNanos) {
    this.id = id;
    this.ttl = ttl;
    this.endNanos = endFrom(sentNanos, ttl);
  }

  long id() {
    return id;
  }

  Duration ttl() {
    return ttl;
  }

  @Override
  public boolean isLive() {
    // Asked of the clock, not of the loop: the loop may have been paused with the process.
    return !lost.isDone() && remainingNanos() > 0;
  }

  @Override
  public CompletionStage<Loss> lost() {
    return lost.minimalCompletionStage();
  }

  /** How long the holder may still go on without a renewal. */
  long remainingNanos() {
    return endNanos - System.nanoTime();
  }

  void renewed(long sentNanos, Duration granted) {
    endNanos = endFrom(sentNanos, granted);
  }

  /** Ends the lease for its holder; true for the first to say so. */
  boolean end(Loss loss) {
    return lost.complete(loss);
  }

  /** True once: for the caller that is to revoke it. */
  boolean isRevokedFirst() {
    return revoked.compareAndSet(false, true);
  }

  boolean hasEnded() {
    return lost.isDone();
  }

  private static long endFrom(long sentNanos, Duration granted) {
    return sentNanos + granted.minus(granted.dividedBy(MARGIN_DIVISOR)).toNanos();
  }
}
