package io.turnkeeper.simulation.worker;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.simulation.table.Tables;
import io.turnkeeper.simulation.world.Dice;
import io.turnkeeper.simulation.world.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A worker process. It can die or freeze between any two steps, and comes back. */
public final class SimExecutor {
  /** A preparation that says nothing more. */
  static final String STALL = "stall";

  private static final long BYTES = 4L << 30;
  private static final Duration TTL = Duration.ofSeconds(30);
  private static final int SLOTS = 3;

  private final Surroundings around;
  private final Dice dice;
  private final PoolId pool;
  private final ExecutorId id;
  private final Map<Attempt, AttemptLife> lives = new LinkedHashMap<>();
  private final Set<Attempt> seen = new HashSet<>();
  private final Map<Point, Long> armed = new EnumMap<>(Point.class);
  private @Nullable String failure;
  private boolean livesOn;
  private long bytesTotal = BYTES;
  private long mostBytesTotal = BYTES;
  private int position;
  private long incarnation;
  private long frozenUntilMillis;
  private boolean draining;

  public SimExecutor(Surroundings around, Dice dice, PoolId pool, ExecutorId id) {
    this.around = around;
    this.dice = dice;
    this.pool = pool;
    this.id = id;
    around.orders().onArrival(() -> later(dice.below(25), this::readOrders));
  }

  /** Stands at the end of its orders before it is first heard of. */
  public void start() {
    incarnation = around.authority().registerExecutor(id, TTL, Tables.NO_DEADLINE).incarnation();
    position = around.orders().size();
    lives.clear();
    seen.clear();
    draining = false;
    mostBytesTotal = bytesTotal;
    beat();
  }

  // --- what can go wrong with it ---

  /** Everything it does stops; what was not sent is lost. It comes back as a new incarnation. */
  public void crash() {
    if (incarnation == 0) {
      return;
    }
    lives.values().forEach(AttemptLife::expireTurn);
    around.network().die(sender());
    stopAndReturn(dice.between(200, 6_000));
  }

  /** It does nothing for a while, then goes on as if nothing had happened. */
  public void freeze(long millis) {
    if (incarnation == 0) {
      return;
    }
    frozenUntilMillis = Math.max(frozenUntilMillis, around.clock().nowMillis() + millis);
    if (millis > TTL.toMillis()) {
      // Its leases end meanwhile. When it wakes up it first goes on, and only then finds out.
      lives.values().forEach(AttemptLife::expireTurn);
      later(millis + 500, this::leaseLost);
    }
  }

  private void leaseLost() {
    around.tally().count("executors that lost their lease and came back");
    lives.values().forEach(AttemptLife::abandon);
    stopAndReturn(dice.between(10, 1_000));
  }

  private void stopAndReturn(long millis) {
    incarnation = 0;
    lives.clear();
    frozenUntilMillis = 0;
    around.clock().after(millis, this::start);
  }

  /** Nothing it says arrives for a while. */
  public void cutOff(long millis) {
    if (incarnation != 0) {
      around.network().cutOff(sender(), millis);
    }
  }

  /** Takes nothing new, gives back what it has, says good-bye and starts again. */
  public void drain() {
    if (incarnation == 0 || draining) {
      return;
    }
    draining = true;
    List.copyOf(lives.values()).forEach(AttemptLife::giveBack);
    beat();
    later(200, this::leave);
  }

  private void leave() {
    if (!lives.isEmpty()) {
      later(500, this::leave);
      return;
    }
    say(new ExecutorGone(pool, id, incarnation));
    stopAndReturn(dice.between(500, 5_000));
  }

  /** It claims another total from now on. */
  public void claimBytes(long bytes) {
    bytesTotal = bytes;
    mostBytesTotal = Math.max(mostBytesTotal, bytes);
  }

  /** It claims what it has from now on. */
  public void claimTruth() {
    claimBytes(BYTES);
  }

  public void failNext(String code) {
    failure = code;
  }

  public void stallNext() {
    failure = STALL;
  }

  public void liveOnNext() {
    livesOn = true;
  }

  /** It dies (0) or freezes for some time as soon as it reaches a point. */
  public void arm(Point point, long freezeMillis) {
    armed.put(point, freezeMillis);
  }

  /** Nothing is going to go wrong with it any more. */
  public void disarm() {
    armed.clear();
    failure = null;
    livesOn = false;
    claimTruth();
  }

  // --- what it does ---

  private void beat() {
    Map<Kind, Integer> slots = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      slots.put(kind, SLOTS);
    }
    List<LiveUnit> live = new ArrayList<>();
    lives.keySet().forEach(one -> live.add(new LiveUnit(one.unit(), one.number())));
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put("freeBytes", Long.toString(dice.below(1L << 40))); // Whatever it says is free.
    say(
        new ExecutorHeartbeat(
            pool,
            id,
            incarnation,
            new TreeMap<>(slots),
            bytesTotal,
            draining,
            "simulated",
            labels,
            live));
    if (!draining) {
      later(2_000, this::beat);
    }
  }

  private void readOrders() {
    while (incarnation != 0 && position < around.orders().size()) {
      Assignment order = around.orders().at(position++);
      if (order.attempt().executor().equals(id) && order.attempt().incarnation() == incarnation) {
        follow(order);
      }
    }
  }

  private void follow(Assignment order) {
    AttemptLife life = lives.get(order.attempt());
    if (order instanceof RunUnit run) {
      run(run);
    } else if (order instanceof Assignment.GrantTurn grant) {
      if (life != null) {
        life.granted(grant);
      }
    } else if (order instanceof Assignment.CancelUnit cancel) {
      if (life != null) {
        life.cancelled(cancel, life instanceof WorkLife work ? work.progress() : 0);
      } else {
        say(new ClaimEvent.UnitReleased(order.attempt(), 0)); // What does not run is free.
      }
    }
  }

  private void run(RunUnit run) {
    if (!seen.add(run.attempt())) {
      return;
    }
    long running = lives.keySet().stream().filter(one -> kindOf(one) == run.kind()).count();
    if (draining || running >= SLOTS) {
      say(new ClaimEvent.UnitDeclined(run.attempt(), draining ? "DRAINING" : "NO_SLOT"));
      say(new ClaimEvent.UnitReleased(run.attempt(), 0));
      return;
    }
    long used = run.reservedBytes();
    for (AttemptLife other : lives.values()) {
      used += other.run.reservedBytes();
    }
    long needed = used;
    Violation.unless(
        needed <= mostBytesTotal,
        "4: what runs on an executor fits",
        () -> run + " makes " + needed + " bytes of " + mostBytesTotal + " on " + id);
    AttemptLife life =
        run.kind() == Kind.OBSERVE ? new ObserveLife(this, run) : new WorkLife(this, run);
    lives.put(run.attempt(), life);
    life.start();
  }

  private Kind kindOf(Attempt attempt) {
    AttemptLife life = lives.get(attempt);
    if (life == null) {
      throw new IllegalStateException("expected " + attempt + " to live");
    }
    return life.run.kind();
  }

  void forget(Attempt attempt) {
    lives.remove(attempt);
  }

  /** Dies or freezes here if that was arranged; what follows must be a step of its own. */
  void reached(Point point) {
    Long freezeMillis = armed.remove(point);
    if (freezeMillis == null) {
      return;
    }
    around.tally().count("effect: " + (freezeMillis == 0 ? "died" : "froze") + " at " + point);
    if (freezeMillis == 0) {
      crash();
    } else {
      freeze(freezeMillis);
    }
  }

  @Nullable String nextFailure() {
    String next = failure;
    failure = null;
    return next;
  }

  boolean livesOn() {
    boolean next = livesOn;
    livesOn = false;
    return next;
  }

  /** Runs if this incarnation still lives then; a frozen one runs it when it wakes up. */
  void later(long millis, Runnable action) {
    long of = incarnation;
    around.clock().after(millis, () -> runIfAlive(of, action));
  }

  private void runIfAlive(long of, Runnable action) {
    if (of != incarnation || of == 0) {
      return;
    }
    if (frozenUntilMillis > around.clock().nowMillis()) {
      around.clock().at(frozenUntilMillis, () -> runIfAlive(of, action));
    } else {
      action.run();
    }
  }

  void say(Event event) {
    if (incarnation != 0) {
      around.network().send(sender(), event);
    }
  }

  private String sender() {
    return id + "/" + incarnation;
  }

  Surroundings around() {
    return around;
  }

  Dice dice() {
    return dice;
  }
}
