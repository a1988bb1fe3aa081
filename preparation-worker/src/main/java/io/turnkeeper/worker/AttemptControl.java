package io.turnkeeper.worker;

import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.worker.work.WorkCancelledException;
import org.jspecify.annotations.Nullable;

/**
 * What others want of a running attempt: a turn to use, or an end. It ends exactly once, and never
 * while it publishes: only the authority knows then what came of it.
 */
final class AttemptControl {
  private @Nullable GrantTurn grant;
  private @Nullable CancelUnit deferred;
  private boolean publishing;
  private boolean abandoned;
  private boolean silenced;
  private boolean givenBack;
  private boolean ended;
  private Runnable stop = () -> {};

  /** Offers a turn; of several only the highest is worth taking. */
  synchronized void grant(GrantTurn offered) {
    if (grant == null || grant.turn() < offered.turn()) {
      grant = offered;
      notifyAll();
    }
  }

  /**
   * Waits for a turn.
   *
   * @throws WorkCancelledException if the attempt is over
   */
  synchronized GrantTurn awaitGrant() throws WorkCancelledException, InterruptedException {
    while (grant == null && !ended && !abandoned) {
      wait();
    }
    if (ended || abandoned || grant == null) {
      throw new WorkCancelledException();
    }
    GrantTurn offered = grant;
    grant = null;
    return offered;
  }

  /**
   * From here on only the publication says how the attempt ends.
   *
   * @throws WorkCancelledException if the attempt is over
   */
  synchronized void beginPublishing() throws WorkCancelledException {
    if (ended || abandoned) {
      throw new WorkCancelledException();
    }
    publishing = true;
  }

  /**
   * Nothing was published and the attempt goes on, unless a cancel came meanwhile.
   *
   * @return that cancel, which has ended the attempt now and must be answered
   */
  synchronized @Nullable CancelUnit endPublishing() {
    publishing = false;
    CancelUnit order = ended ? null : deferred;
    ended = ended || order != null;
    return order;
  }

  /**
   * Ends the attempt if {@code order} is not voided by {@code progressed}.
   *
   * @return whether it has ended the attempt and must be answered
   */
  synchronized boolean cancel(CancelUnit order, long progressed) {
    if (ended || progressed > order.sequence()) {
      return false;
    }
    if (publishing) {
      deferred = order;
      return false;
    }
    return end();
  }

  /**
   * Ends the attempt if it does not publish; if it does, it may finish but takes no other turn.
   *
   * @return whether it has ended the attempt and must be answered
   */
  synchronized boolean endUnlessPublishing() {
    if (publishing) {
      abandoned = true;
      givenBack = true;
      return false;
    }
    return end();
  }

  /**
   * Whether it was given back while it published, and still has to say so if nothing came of it.
   */
  synchronized boolean isGivenBack() {
    return givenBack;
  }

  /**
   * Ends it without any further word: a release under this incarnation would free its place before
   * the table learns that the attempt is over.
   */
  synchronized void silence() {
    silenced = true;
    abandon();
  }

  synchronized boolean isSilenced() {
    return silenced;
  }

  /** Nobody wants the attempt any more, and nobody waits for an answer. */
  synchronized void abandon() {
    abandoned = true;
    stop.run();
    notifyAll();
  }

  /**
   * Ends the attempt.
   *
   * @return whether it was not over before
   */
  synchronized boolean end() {
    boolean first = !ended;
    ended = true;
    stop.run();
    notifyAll();
    return first;
  }

  /** Runs {@code newStop} instead of what it ran before when the attempt is over, or at once. */
  synchronized void whenOver(Runnable newStop) {
    stop = newStop;
    if (isOver()) {
      newStop.run();
    }
  }

  /** Whether work on it should stop. */
  synchronized boolean isOver() {
    return ended || abandoned;
  }
}
