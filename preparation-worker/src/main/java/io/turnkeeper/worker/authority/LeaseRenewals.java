package io.turnkeeper.worker.authority;

import io.etcd.jetcd.lease.LeaseGrantResponse;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Lease.Loss;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Grants, renews and revokes leases. The client's own keep-alive is not used: it gives up without a
 * word, and counts by the wall clock.
 */
final class LeaseRenewals implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(LeaseRenewals.class);

  /** Renewals in one time to live; a failed one is repeated three times as often. */
  private static final int RENEWALS = 3;

  private static final int RETRIES = 9;

  private final io.etcd.jetcd.Lease client;
  private final EtcdCalls calls;
  private final ScheduledExecutorService loop;
  private final Map<Long, CompletableFuture<Void>> revocations = new ConcurrentHashMap<>();

  LeaseRenewals(io.etcd.jetcd.Lease client, EtcdCalls calls) {
    this.client = client;
    this.calls = calls;
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "turnkeeper-leases");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    this.loop = executor;
  }

  /** A new lease that is not renewed yet. An attempt whose answer is lost leaves one to expire. */
  RenewedLease grant(Duration ttl, Deadline deadline) throws NoAnswerException {
    long seconds = Math.max(1, ttl.toSeconds());
    long[] sent = new long[1];
    LeaseGrantResponse granted =
        calls
            .ask(
                () -> {
                  sent[0] = System.nanoTime();
                  return client.grant(seconds);
                },
                deadline)
            .value();
    return new RenewedLease(granted.getID(), Duration.ofSeconds(granted.getTTL()), sent[0]);
  }

  /**
   * Renews the lease until it is lost or closed.
   *
   * @param stillMine asked after every renewal, if there is something that can be replaced
   */
  void keep(RenewedLease lease, @Nullable Supplier<CompletableFuture<Boolean>> stillMine) {
    schedule(() -> renew(lease, stillMine), lease.ttl().dividedBy(RENEWALS));
    schedule(() -> watch(lease), Duration.ofNanos(Math.max(0, lease.remainingNanos())));
  }

  /** Ends the lease here at once and in etcd as soon as it answers. */
  void close(RenewedLease lease) {
    lease.end(Loss.CLOSED);
    if (!lease.isRevokedFirst()) {
      return;
    }
    CompletableFuture<Void> revocation =
        client
            .revoke(lease.id())
            .orTimeout(calls.callTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .handle(
                (done, failure) -> {
                  if (failure != null) {
                    LOGGER.debug("lease {} was not revoked, it will expire", lease.id(), failure);
                  }
                  return null;
                });
    revocations.put(lease.id(), revocation);
    var unused = revocation.thenRun(() -> revocations.remove(lease.id()));
  }

  /** Waits a moment for revocations under way, so that an orderly stop frees what it held. */
  @Override
  public void close() {
    loop.shutdownNow();
    CompletableFuture<?> all =
        CompletableFuture.allOf(revocations.values().toArray(CompletableFuture<?>[]::new));
    try {
      all.handle((done, failure) -> done).get(calls.callTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      LOGGER.debug("leases were not revoked in time and will expire", e);
    }
  }

  private void renew(RenewedLease lease, @Nullable Supplier<CompletableFuture<Boolean>> stillMine) {
    if (lease.hasEnded()) {
      return;
    }
    long sent = System.nanoTime();
    // The stream of an attempt that hangs stays open; the retries in one time to live are bounded.
    var unused =
        client
            .keepAliveOnce(lease.id())
            .orTimeout(calls.callTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete((answer, failure) -> answered(lease, stillMine, sent, answer, failure));
  }

  private void answered(
      RenewedLease lease,
      @Nullable Supplier<CompletableFuture<Boolean>> stillMine,
      long sent,
      @Nullable LeaseKeepAliveResponse answer,
      @Nullable Throwable failure) {
    if (failure != null && EtcdErrors.isNotFound(failure)) {
      lost(lease, Loss.REVOKED);
    } else if (answer == null) {
      LOGGER.debug("lease {} was not renewed, trying again", lease.id(), failure);
      schedule(() -> renew(lease, stillMine), lease.ttl().dividedBy(RETRIES));
    } else if (answer.getTTL() <= 0) {
      lost(lease, Loss.REVOKED);
    } else {
      lease.renewed(sent, Duration.ofSeconds(answer.getTTL()));
      schedule(() -> renew(lease, stillMine), lease.ttl().dividedBy(RENEWALS));
      if (stillMine != null) {
        check(lease, stillMine);
      }
    }
  }

  private void check(RenewedLease lease, Supplier<CompletableFuture<Boolean>> stillMine) {
    var unused =
        stillMine
            .get()
            .orTimeout(calls.callTimeout().toNanos(), TimeUnit.NANOSECONDS)
            .whenComplete(
                (mine, failure) -> {
                  if (failure != null) {
                    LOGGER.debug(
                        "could not see whether lease {} was replaced", lease.id(), failure);
                  } else if (!mine) {
                    lost(lease, Loss.REPLACED);
                  }
                });
  }

  /** Tells the holder in time, also when no renewal is answered at all. */
  private void watch(RenewedLease lease) {
    if (lease.hasEnded()) {
      return;
    }
    long remaining = lease.remainingNanos();
    if (remaining <= 0) {
      lost(lease, Loss.EXPIRED);
    } else {
      schedule(() -> watch(lease), Duration.ofNanos(remaining));
    }
  }

  private static void lost(RenewedLease lease, Loss loss) {
    if (lease.end(loss)) {
      LOGGER.atWarn().addKeyValue("reason", loss).log("lease {} was lost", lease.id());
    }
  }

  private void schedule(Runnable task, Duration delay) {
    try {
      var unused = loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Only after close(): the holders find out by isLive().
      LOGGER.trace("no renewal after close", e);
    }
  }
}
