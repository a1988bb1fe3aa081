package io.turnkeeper.core.simulation;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.core.table.WorkSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A worker that prepares, takes turns and commits, and that can die or freeze between any two
 * steps.
 */
final class SimExecutor {
  private static final long BYTES = 4L << 30;

  private final SimWorld world;
  private final ExecutorId id;
  private final Map<UnitId, Assignment.RunUnit> running = new HashMap<>();
  private final Deque<Assignment> inbox = new ArrayDeque<>();
  private long incarnation;
  private long frozenUntilMillis;

  SimExecutor(SimWorld world, ExecutorId id) {
    this.world = world;
    this.id = id;
  }

  ExecutorId id() {
    return id;
  }

  void start() {
    incarnation = world.nextIncarnation();
    running.clear();
    heartbeat(incarnation);
  }

  /** Everything it was doing stops; nothing is reported. It comes back as a new incarnation. */
  void crash() {
    incarnation = 0;
    running.clear();
    world.clock().after(world.random(2_000) + 200, this::start);
  }

  /** It does nothing for a while, then goes on as if nothing had happened: a zombie. */
  void freeze(long millis) {
    frozenUntilMillis = world.clock().nowMillis() + millis;
  }

  private void heartbeat(long of) {
    later(
        of,
        0,
        () -> {
          EnumMap<Kind, Integer> slots = new EnumMap<>(Kind.class);
          for (Kind kind : Kind.values()) {
            slots.put(kind, 4);
          }
          List<LiveUnit> live = new ArrayList<>();
          running
              .values()
              .forEach(run -> live.add(new LiveUnit(run.attempt().unit(), run.attempt().number())));
          world.say(
              new ExecutorHeartbeat(
                  SimScheduler.POOL,
                  id,
                  of,
                  new TreeMap<>(slots),
                  BYTES,
                  false,
                  "sim",
                  new TreeMap<>(),
                  live));
          world.clock().after(2_000, () -> heartbeat(of));
        });
  }

  /** Assignments come in the order they were written, however late they are read. */
  void receive(Assignment assignment) {
    inbox.add(assignment);
    later(assignment.attempt().incarnation(), world.random(20), this::readInbox);
  }

  private void readInbox() {
    while (!inbox.isEmpty()) {
      Assignment assignment = inbox.remove();
      if (assignment.attempt().incarnation() == incarnation) {
        carryOut(assignment);
      }
    }
  }

  private void carryOut(Assignment assignment) {
    Attempt attempt = assignment.attempt();
    if (assignment instanceof Assignment.RunUnit run) {
      run(run);
      return;
    }
    Assignment.RunUnit run = running.get(attempt.unit());
    if (run == null || !run.attempt().equals(attempt)) {
      if (assignment instanceof Assignment.CancelUnit) {
        world.say(new ClaimEvent.UnitReleased(attempt, 0)); // What does not run is free.
      }
      return;
    }
    if (assignment instanceof Assignment.GrantTurn grant) {
      take(run, grant.turn());
    } else if (assignment instanceof Assignment.CancelUnit cancel) {
      running.remove(attempt.unit());
      world.say(
          new PublishEvent.UnitFailed(attempt, "PREPARE", cancel.code(), cancel.message(), null));
      world.say(new ClaimEvent.UnitReleased(attempt, 0));
    }
  }

  private void run(Assignment.RunUnit run) {
    Attempt attempt = run.attempt();
    running.put(attempt.unit(), run);
    world.say(new ClaimEvent.UnitClaimed(attempt));
    if (run.kind() == Kind.OBSERVE && run.mode() == Mode.OUTSIDE) {
      step(run, 50, () -> observe(run, 0));
    } else if (run.mode() == Mode.OUTSIDE) {
      prepare(run, 1 + world.random(5));
    }
  }

  private void prepare(Assignment.RunUnit run, long stepsLeft) {
    step(
        run,
        100 + world.random(2_000),
        () -> {
          Attempt attempt = run.attempt();
          if (run.kind() != Kind.MERGE_WAL) {
            world.say(new CheckpointEvent.PreparationPlanned(attempt, 1, List.of()));
          }
          if (stepsLeft > 0) {
            world.say(
                new CheckpointEvent.WorkProgressed(attempt, 10 - stepsLeft, 1, 1, 1, "reading"));
            prepare(run, stepsLeft - 1);
          } else {
            world.say(
                new CheckpointEvent.PreparationReady(
                    attempt, new Artifact(1, List.of(), 1, 1, 1, "", 0, "")));
          }
        });
  }

  private void take(Assignment.RunUnit run, long turn) {
    Attempt attempt = run.attempt();
    SimTable table = world.table(attempt.table());
    if (!table.authority().take(turn)) {
      report(run);
      world.say(new PublishEvent.PublishRefused(attempt, turn, "STALE_TURN", "too low"));
      return;
    }
    world.say(new PublishEvent.TurnTaken(attempt, turn));
    report(run);
    long work = run.mode() == Mode.INSIDE && run.kind() != Kind.OBSERVE ? 3_000 : 30;
    step(run, world.random(work) + 5, () -> publish(run, turn));
  }

  private void publish(Assignment.RunUnit run, long turn) {
    Attempt attempt = run.attempt();
    SimTable table = world.table(attempt.table());
    SimAuthority authority = table.authority();
    if (run.kind() == Kind.OBSERVE) {
      authority.release(turn);
      observe(run, turn);
      return;
    }
    SortedMap<ShardId, Long> merged = new TreeMap<>();
    if (run.spec() instanceof WorkSpec.MergeWal merge) {
      for (Map.Entry<ShardId, WorkSpec.GenerationRange> range : merge.ranges().entrySet()) {
        if (range.getValue().first() != authority.mergedThrough(range.getKey()) + 1) {
          authority.release(turn);
          report(run);
          world.say(new PublishEvent.PublishRefused(attempt, turn, "STALE_PREPARATION", "moved"));
          end(run);
          return;
        }
        merged.put(range.getKey(), range.getValue().last());
      }
    }
    if (!authority.commit(turn, attempt.unit(), attempt.number(), merged)) {
      report(run);
      world.say(new PublishEvent.PublishRefused(attempt, turn, "TURN_LOST", "preempted"));
      return;
    }
    switch (run.kind()) {
      case MERGE_WAL -> table.merged();
      case COMPACT -> table.compacted();
      case INDEX -> table.indexed();
      default -> throw new IllegalStateException("expected no " + run.kind());
    }
    long version = authority.version();
    // Committed; the report may never be made.
    step(
        run,
        world.random(10),
        () -> {
          report(run);
          world.say(
              new PublishEvent.UnitPublished(attempt, turn, List.of(version), merged, 1, 1, 0));
          world.say(table.observation(world.clock().nowMillis()));
          end(run);
        });
  }

  private void observe(Assignment.RunUnit run, long turn) {
    SimTable table = world.table(run.attempt().table());
    report(run);
    world.say(table.observation(world.clock().nowMillis()));
    table.sealed().forEach((shard, through) -> world.sealed(table, shard, through));
    world.say(
        new PublishEvent.UnitPublished(run.attempt(), turn, List.of(), new TreeMap<>(), 0, 0, 0));
    end(run);
  }

  private void end(Assignment.RunUnit run) {
    running.remove(run.attempt().unit());
    world.say(new ClaimEvent.UnitReleased(run.attempt(), 0));
  }

  private void report(Assignment.RunUnit run) {
    SimAuthority authority = world.table(run.attempt().table()).authority();
    List<SimAuthority.Version> versions = authority.versions();
    SimAuthority.Version newest = versions.isEmpty() ? null : versions.get(versions.size() - 1);
    world.say(
        new PublishEvent.HeadObserved(
            run.attempt(),
            1,
            authority.version(),
            newest == null ? 0 : newest.turn(),
            newest == null ? 0 : newest.unit().sequence(),
            newest == null ? 0 : newest.attempt(),
            authority.highestTurn(),
            authority.merged()));
  }

  private void step(Assignment.RunUnit run, long millis, Runnable action) {
    later(
        run.attempt().incarnation(),
        millis,
        () -> {
          Assignment.RunUnit current = running.get(run.attempt().unit());
          if (current != null && current.attempt().equals(run.attempt())) {
            action.run();
          }
        });
  }

  /** Runs if this incarnation still lives then; a frozen one runs it when it wakes up. */
  private void later(long of, long millis, Runnable action) {
    world
        .clock()
        .after(
            millis,
            () -> {
              if (of != incarnation) {
                return;
              }
              long frozen = frozenUntilMillis - world.clock().nowMillis();
              if (frozen > 0) {
                later(of, frozen, action);
              } else {
                action.run();
              }
            });
  }
}
