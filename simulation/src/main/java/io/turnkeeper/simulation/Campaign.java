package io.turnkeeper.simulation;

import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import io.turnkeeper.simulation.plan.Shrinker;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Many lives, some at a time, until one fails. */
final class Campaign {
  /** A few minutes of one processor. */
  private static final int SHRINK_ACTIONS = 500_000;

  /**
   * A life that failed.
   *
   * @param shrunk the smallest plan that was found to fail in the same way
   */
  record Failure(Violation violation, Plan shrunk) {}

  private final Rules rules;
  private final Progress progress;
  private final Tally tally = new Tally();
  private final Waits waits = new Waits();
  private final int threads;

  /** These two are read by whoever is told to stop meanwhile. */
  private final AtomicInteger lives = new AtomicInteger();

  private volatile @Nullable Failure found;

  /** A campaign that lives so many lives at a time. */
  Campaign(Rules rules, int threads, Progress progress) {
    this.rules = rules;
    this.threads = threads;
    this.progress = progress;
  }

  /**
   * Lives through {@code seeds} lives from {@code firstSeed} on.
   *
   * @return the first failure; null if there is none
   * @throws IllegalStateException if the calling thread is interrupted
   */
  @Nullable Failure run(Scenario scenario, long firstSeed, int seeds, int steps) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      // Outcomes are added in the order of seeds, so that nothing depends on the threads.
      Deque<Future<Life.Outcome>> ahead = new ArrayDeque<>();
      int begun = 0;
      for (int i = 0; i < seeds; i++) {
        while (begun < seeds && begun <= i + threads) {
          Plan plan = Plan.of(scenario, firstSeed + begun++, steps);
          ahead.add(pool.submit(() -> Life.of(plan, rules, line -> {})));
        }
        Life.Outcome outcome = ahead.remove().get();
        add(outcome);
        if (outcome.violation() != null) {
          pool.shutdownNow();
          Plan whole = Plan.of(scenario, firstSeed + i, steps);
          return failure(whole.first(outcome.begun()), outcome.violation());
        }
        progress.lived(i + 1, seeds);
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("expected the lives to go on", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("expected a life to end with an outcome", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private void add(Life.Outcome outcome) {
    lives.incrementAndGet();
    tally.add(outcome.tally());
    waits.add(outcome.waits());
  }

  /** Of a life that failed the smallest part that fails is looked for. */
  private Failure failure(Plan whole, Violation violation) {
    found = new Failure(violation, whole);
    Shrinker shrinker =
        new Shrinker(part -> failsAlike(part, violation), SHRINK_ACTIONS, progress::shrinking);
    return new Failure(violation, shrinker.shrunk(whole));
  }

  private boolean failsAlike(Plan part, Violation violation) {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException("expected the shrinking to go on");
    }
    Violation other = Life.of(part, rules, line -> {}).violation();
    return other != null && other.rule().equals(violation.rule());
  }

  int lives() {
    return lives.get();
  }

  /** The life that failed as it was found, while the smallest part of it is looked for. */
  @Nullable Failure found() {
    return found;
  }

  /** What happened in all of them. */
  Tally tally() {
    return tally;
  }

  Waits waits() {
    return waits;
  }
}
