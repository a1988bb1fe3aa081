package io.turnkeeper.worker;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.child.ChildWork;
import io.turnkeeper.worker.child.Children;
import io.turnkeeper.worker.trial.TrialWork;
import io.turnkeeper.worker.trial.ZombieWriter;
import io.turnkeeper.worker.work.TableObservation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The process that a trial of the fence turns into a zombie: a worker without Kafka that takes its
 * orders from lines of text and stands still at a step it is told, so that it can be stopped there.
 */
public final class ZombieHolder {
  /** What lines meant for the trial begin with; libraries write to the same stream. */
  public static final String MARK = "@";

  /** The step before a turn is taken. */
  public static final String GRANTED = "GRANTED";

  private static final long TARGET_ROWS = 1_000;
  private static final long PUBLISH_MILLIS = 60_000;
  private static final int SLOTS = 1_000;

  private final PrintStream out;
  private final Attempts attempts;
  private final Semaphore go = new Semaphore(0);
  private volatile String stop = "";
  private volatile @Nullable RunUnit unit;
  private @Nullable GrantTurn heldBack;

  private ZombieHolder(URI etcd, String prefix, PrintStream out) {
    this.out = out;
    RootAllocator allocator = new RootAllocator();
    Equipment equipment =
        new Equipment(
            EtcdAuthority.connect(
                new EtcdSettings(List.of(etcd), prefix, EtcdSettings.DEFAULT_CALL_TIMEOUT)),
            new Told(),
            new MemoryBudget(allocator, Long.MAX_VALUE),
            new ChildWork(new Children(1), new RecordCodec()),
            new TableObservation(TARGET_ROWS, 1 << 30),
            (kind, step) -> standStill(running().table().value(), step.name()));
    Map<Kind, Integer> slots = new TreeMap<>();
    for (Kind kind : Kind.values()) {
      slots.put(kind, SLOTS);
    }
    this.attempts = new Attempts(equipment, new TreeMap<>(slots));
  }

  /** Runs until the input ends. Arguments: the URL of etcd and the prefix of its keys. */
  public static void main(String[] args) throws IOException {
    ZombieHolder holder = new ZombieHolder(URI.create(args[0]), args[1], System.out);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    holder.say("", "STARTED");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      holder.obey(line.split("\t", -1));
    }
    // Without the connections' farewells: whoever ordered this process may be gone.
    Runtime.getRuntime().halt(0);
  }

  private void obey(String[] order) {
    switch (order[0]) {
      case "RUN" -> run(order);
      case "GRANT" -> grant(Long.parseLong(order[1]), order[2]);
      case "WRITE" ->
          new ZombieWriter(line -> say(order[1], line), step -> standStill(order[1], step))
              .start(order[2], order[3], Integer.parseInt(order[4]), stopAt(order[5]));
      case "GO" -> go();
      case "CANCEL" ->
          attempts.cancel(
              new CancelUnit(running().attempt(), Require.MAX_NUMBER, "CANCELLED", "trial"));
      default -> throw new IllegalArgumentException("expected an order, but it is " + order[0]);
    }
  }

  private Runnable stopAt(String step) {
    return () -> stop = step;
  }

  private void run(String[] order) {
    stop = "";
    go.drainPermits();
    TrialWork work = TrialWork.valueOf(order[1]);
    Attempt attempt =
        new Attempt(
            new UnitId(new TableId(order[3]), Long.parseLong(order[4])),
            1,
            new ExecutorId("zombie"),
            1);
    unit =
        new RunUnit(
            attempt,
            work.kind(),
            Mode.valueOf(order[2]),
            work.spec(),
            Long.parseLong(order[5]),
            order[6],
            order[7],
            0);
    attempts.run(running());
  }

  private void grant(long turn, String step) {
    GrantTurn grant = new GrantTurn(running().attempt(), turn, PUBLISH_MILLIS);
    stop = step;
    if (step.equals(GRANTED)) {
      heldBack = grant;
      say(running().table().value(), "AT " + GRANTED);
    } else {
      attempts.grant(grant);
    }
  }

  private void go() {
    GrantTurn grant = heldBack;
    heldBack = null;
    if (grant == null) {
      go.release();
    } else {
      attempts.grant(grant);
    }
  }

  private void standStill(String trial, String step) {
    if (step.equals(stop)) {
      stop = "";
      say(trial, "AT " + step);
      go.acquireUninterruptibly();
    }
  }

  private RunUnit running() {
    RunUnit running = unit;
    if (running == null) {
      throw new IllegalStateException("expected a unit to run before anything else");
    }
    return running;
  }

  /** One line; what an earlier trial still has to say is not taken for an answer of this one. */
  private void say(String trial, String line) {
    synchronized (out) {
      out.println(MARK + trial + " " + line);
      out.flush();
    }
  }

  /** Says of a unit's facts those that a trial waits for. */
  private final class Told implements Reports {
    @Override
    public void send(TableEvent event) {
      String line = line(event);
      if (!line.isEmpty()) {
        say(event.table().value(), line);
      }
    }

    private static String line(TableEvent event) {
      if (event instanceof PreparationReady) {
        return "READY";
      } else if (event instanceof UnitPublished) {
        return "PUBLISHED";
      } else if (event instanceof PublishRefused refused) {
        return "REFUSED " + refused.code();
      } else if (event instanceof UnitFailed failed) {
        return "FAILED " + failed.code() + " " + failed.message();
      } else if (event instanceof UnitNoOp noOp) {
        return "NOTHING " + noOp.reason();
      }
      return event instanceof UnitReleased ? "RELEASED" : "";
    }

    @Override
    public void send(PoolEvent event) {}

    @Override
    public void giveUp() {}
  }
}
