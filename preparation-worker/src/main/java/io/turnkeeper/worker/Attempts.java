package io.turnkeeper.worker;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The attempts that one start of an executor runs, each on a thread of its own. */
final class Attempts {
  private static final Logger LOGGER = LoggerFactory.getLogger(Attempts.class);
  private static final int REMEMBERED = 1_024;

  /** So that the words for one partition without a leader do not hold up the others. */
  private static final int ANSWER_THREADS = 8;

  private static final long ANSWER_IDLE_SECONDS = 10;

  private final Equipment equipment;
  private final SortedMap<Kind, Integer> slots;
  private final Map<Attempt, LiveAttempt> live = new LinkedHashMap<>();
  private final Set<Attempt> seen =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Attempt, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });
  private final Executor answers = answerThreads();
  private int answering;
  private boolean draining;

  Attempts(Equipment equipment, SortedMap<Kind, Integer> slots) {
    this.equipment = equipment;
    this.slots = slots;
  }

  private static Executor answerThreads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            ANSWER_THREADS,
            ANSWER_THREADS,
            ANSWER_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "answers");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Begins the attempt, once however often the order comes. */
  void run(RunUnit unit) {
    AttemptReports reports = new AttemptReports(unit.attempt(), equipment.reports());
    FailureCode refusal = begin(unit, reports);
    if (refusal != null) {
      answer(unit.attempt(), () -> reports.declined(refusal));
    }
  }

  /** Answers why it was not begun, or null if it was, now or earlier. */
  private synchronized @Nullable FailureCode begin(RunUnit unit, AttemptReports reports) {
    if (!seen.add(unit.attempt())) {
      return null;
    }
    abandonOlder(unit);
    if (draining) {
      return FailureCode.DRAINING;
    }
    if (running(unit.kind()) >= slots.getOrDefault(unit.kind(), 0)) {
      return FailureCode.NO_SLOT;
    }
    MemoryBudget.Share memory =
        equipment.memory().take(unit.attempt().unit().toString(), unit.reservedBytes());
    if (memory == null) {
      return FailureCode.NO_MEMORY;
    }
    start(unit, reports, memory);
    return null;
  }

  /** There is one unit of a kind and table: an older one here was ended without our noticing. */
  private void abandonOlder(RunUnit unit) {
    for (LiveAttempt other : live.values()) {
      RunUnit old = other.unit();
      if (old.kind() == unit.kind() && old.table().equals(unit.table())) {
        other.control().abandon();
      }
    }
  }

  private long running(Kind kind) {
    return live.values().stream()
        .filter(attempt -> attempt.unit().kind() == kind && !attempt.control().isOver())
        .count();
  }

  private void start(RunUnit unit, AttemptReports reports, MemoryBudget.Share memory) {
    AttemptControl control = new AttemptControl();
    AttemptProgress progress = new AttemptProgress(reports, control::isOver, System::nanoTime);
    BufferAllocator allocator = memory.allocator();
    AttemptLife life =
        switch (unit.kind()) {
          case MERGE_WAL, COMPACT, INDEX, REPAIR ->
              new UnitRun(unit, equipment, control, reports, progress, allocator);
          case RETIRE -> new RetireRun(unit, equipment, control, reports, progress, allocator);
          case OBSERVE -> new ObserveRun(unit, equipment, control, reports, allocator);
        };
    AttemptThread run = new AttemptThread(unit, life, control, reports, memory, equipment.steps());
    live.put(unit.attempt(), new LiveAttempt(unit, control, reports, progress));
    Thread thread =
        new Thread(
            () -> {
              try {
                run.run();
              } finally {
                ended(unit.attempt());
              }
            },
            "unit-" + unit.attempt().unit());
    thread.setUncaughtExceptionHandler(
        (failed, e) ->
            LOGGER.atError().addKeyValue("unit", unit.attempt().unit()).setCause(e).log("died"));
    thread.start();
  }

  private synchronized void ended(Attempt attempt) {
    live.remove(attempt);
    notifyAll();
  }

  void grant(GrantTurn grant) {
    LiveAttempt attempt = find(grant.attempt());
    if (attempt != null) {
      attempt.grant(grant);
    }
  }

  void cancel(CancelUnit order) {
    LiveAttempt attempt = find(order.attempt());
    if (attempt != null) {
      answer(order.attempt(), () -> attempt.cancel(order));
    } else {
      // Whoever gave it up waits for this word before the place is free again.
      answer(
          order.attempt(),
          () -> new AttemptReports(order.attempt(), equipment.reports()).released());
    }
  }

  /** Says it elsewhere: brokers that do not answer hold a word for a minute, but no other order. */
  private void answer(Attempt attempt, Runnable words) {
    synchronized (this) {
      answering++;
    }
    answers.execute(
        () -> {
          try {
            words.run();
          } catch (ReportFailedException e) {
            // Whoever ordered finds out by the silence.
            LOGGER
                .atWarn()
                .addKeyValue("unit", attempt.unit())
                .setCause(e)
                .log("cannot answer an order");
          } finally {
            answered();
          }
        });
  }

  private synchronized void answered() {
    answering--;
    notifyAll();
  }

  @SuppressWarnings("NullAway") // Absent is an answer: most orders are for others.
  private synchronized LiveAttempt find(Attempt attempt) {
    return live.get(attempt);
  }

  /** What holds a slot or memory. */
  synchronized List<LiveUnit> liveUnits() {
    return live.keySet().stream()
        .map(attempt -> new LiveUnit(attempt.unit(), attempt.number()))
        .toList();
  }

  synchronized boolean isDraining() {
    return draining;
  }

  /** Takes nothing new and hands back what does not publish; what publishes may finish. */
  void drain() {
    List<LiveAttempt> all;
    synchronized (this) {
      draining = true;
      all = List.copyOf(live.values());
    }
    // First all are ended: to tell of one may take long, or fail.
    List<LiveAttempt> ended = all.stream().filter(LiveAttempt::endUnlessPublishing).toList();
    ended.forEach(attempt -> attempt.reports().declined(FailureCode.DRAINING));
  }

  /** Stops everything without a word: this executor's facts count no longer. */
  void abandon() {
    synchronized (this) {
      draining = true;
      live.values().forEach(attempt -> attempt.control().silence());
    }
  }

  /**
   * Waits until nothing runs and every order is answered.
   *
   * @return whether that came true in time
   */
  synchronized boolean awaitEnd(Deadline deadline) throws InterruptedException {
    while (!isAtRest() && !deadline.hasPassed()) {
      wait(Math.max(1, deadline.remaining().toMillis()));
    }
    return isAtRest();
  }

  private boolean isAtRest() {
    return live.isEmpty() && answering == 0;
  }
}
