package io.turnkeeper.simulation;

import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Shrinker;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Many lives, a few at a time, until one fails. */
public final class Campaign {
  private static final int SHRINK_TRIES = 500;
  private static final int MAX_THREADS = 2;

  /**
   * A life that failed.
   *
   * @param shrunk the smallest plan that was found to fail in the same way
   */
  public record Failure(Violation violation, Plan shrunk) {}

  private final Fleet.Rules rules;
  private final Tally tally = new Tally();
  private final Waits waits = new Waits();
  private int lives;

  public Campaign() {
    this(Life.RULES);
  }

  Campaign(Fleet.Rules rules) {
    this.rules = rules;
  }

  /**
   * Lives through {@code seeds} lives from {@code firstSeed} on.
   *
   * @param progress hears how many are done
   * @return the first failure; null if there is none
   */
  public @Nullable Failure run(long firstSeed, int seeds, int steps, IntConsumer progress) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()));
    try {
      List<Future<Life.Outcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        long seed = firstSeed + i;
        outcomes.add(threads.submit(() -> Life.of(Plan.of(seed, steps), rules, line -> {})));
      }
      for (int i = 0; i < seeds; i++) {
        Failure failure = add(firstSeed + i, steps, outcomes.get(i).get());
        if (failure != null) {
          return failure;
        }
        progress.accept(i + 1);
      }
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("expected the lives to go on", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("expected a life to end with an outcome", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Adds up an outcome; of a life that failed the smallest part that fails is looked for. */
  private @Nullable Failure add(long seed, int steps, Life.Outcome outcome) {
    lives++;
    tally.add(outcome.tally());
    waits.add(outcome.waits());
    Violation violation = outcome.violation();
    if (violation == null) {
      return null;
    }
    Plan shrunk =
        new Shrinker(part -> failsAlike(part, violation), SHRINK_TRIES)
            .shrunk(Plan.of(seed, steps));
    return new Failure(violation, shrunk);
  }

  private boolean failsAlike(Plan part, Violation violation) {
    Violation other = Life.of(part, rules, line -> {}).violation();
    return other != null && other.rule().equals(violation.rule());
  }

  public int lives() {
    return lives;
  }

  /** What happened in all of them. */
  public Tally tally() {
    return tally;
  }

  public Waits waits() {
    return waits;
  }
}
