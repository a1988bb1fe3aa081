package io.turnkeeper.worker.authority;

import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.worker.authority.NoAnswerException.Fate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks etcd until it answers or the caller's deadline has passed. The client knows no deadline of
 * its own, so each attempt gets one here.
 */
final class EtcdCalls {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final Duration callTimeout;

  EtcdCalls(Duration callTimeout) {
    this.callTimeout = callTimeout;
  }

  /**
   * What etcd said.
   *
   * @param repeated whether an earlier attempt may have been applied before this one
   */
  record Answer<T>(T value, boolean repeated) {}

  /**
   * Repeats {@code call} until it is answered. The call must be the identical request each time,
   * and must do nothing the second time.
   */
  <T> Answer<T> ask(Supplier<CompletableFuture<T>> call, Deadline deadline)
      throws NoAnswerException {
    boolean mayHaveHappened = false;
    Duration pause = FIRST_PAUSE;
    Throwable lastFailure = null;
    while (!deadline.hasPassed()) {
      try {
        return new Answer<>(once(call, deadline), mayHaveHappened);
      } catch (ExecutionException | TimeoutException e) {
        // That time ran out says least of why.
        lastFailure = lastFailure == null || e instanceof ExecutionException ? e : lastFailure;
        if (EtcdErrors.isRefusal(e)) {
          Fate last = EtcdErrors.isOutOfSpace(e) ? Fate.TO_BE_SEEN : Fate.NOT_APPLIED;
          throw new NoAnswerException(EtcdErrors.text(e), mayHaveHappened ? Fate.OPEN : last, e);
        }
        mayHaveHappened |= !EtcdErrors.wasNeverSent(e);
        sleep(pause, mayHaveHappened);
        pause = pause.multipliedBy(2);
        pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new NoAnswerException("interrupted while waiting for etcd", Fate.OPEN, e);
      }
    }
    if (lastFailure == null) {
      throw new NoAnswerException("the deadline had passed before etcd was asked");
    }
    throw new NoAnswerException(
        "etcd did not answer before the deadline: " + EtcdErrors.text(lastFailure),
        mayHaveHappened ? Fate.OPEN : Fate.NOT_APPLIED,
        lastFailure);
  }

  /** Asks a question that changes nothing. */
  <T> T read(Supplier<CompletableFuture<T>> call, Deadline deadline)
      throws AuthorityUnavailableException {
    try {
      return ask(call, deadline).value();
    } catch (NoAnswerException e) {
      throw new AuthorityUnavailableException(EtcdErrors.text(e), e);
    }
  }

  Duration callTimeout() {
    return callTimeout;
  }

  private <T> T once(Supplier<CompletableFuture<T>> call, Deadline deadline)
      throws ExecutionException, TimeoutException, InterruptedException {
    long limitNanos = Math.min(callTimeout.toNanos(), deadline.remaining().toNanos());
    // A timed-out attempt is not cancelled: cancelling does not undo it.
    return call.get().get(limitNanos, TimeUnit.NANOSECONDS);
  }

  private static void sleep(Duration pause, boolean mayHaveHappened) throws NoAnswerException {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException(
          "interrupted while waiting for etcd", mayHaveHappened ? Fate.OPEN : Fate.NOT_APPLIED, e);
    }
  }
}
