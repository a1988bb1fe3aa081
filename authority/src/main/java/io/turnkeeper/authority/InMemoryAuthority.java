package io.turnkeeper.authority;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The authority's rules over maps, for whatever needs no etcd; it passes the same contract. */
public class InMemoryAuthority implements Authority {
  private static final int BASE_BYTES = 400;
  private static final int MARK_BYTES = 24;

  private record Stored<T>(T value, long revision) {}

  private record Key(TableId table, long version) {}

  /** A lease that lasts until somebody ends it. */
  static final class EndlessLease implements Lease {
    private final CompletableFuture<Loss> lost = new CompletableFuture<>();

    @Override
    public boolean isLive() {
      return !lost.isDone();
    }

    @Override
    public CompletionStage<Loss> lost() {
      return lost.minimalCompletionStage();
    }

    void end(Loss loss) {
      lost.complete(loss);
    }
  }

  private final Map<TableId, Stored<Head>> heads = new HashMap<>();
  private final Map<TableId, Head> tombstones = new HashMap<>();
  private final Map<TableId, Stored<EndlessLease>> turns = new HashMap<>();
  private final Map<Key, Manifest> manifests = new HashMap<>();
  private final Map<String, Location> locations = new HashMap<>();
  private final Map<ExecutorId, EndlessLease> executors = new HashMap<>();
  private long revision;

  @Override
  public synchronized Optional<Head> head(TableId table, Deadline deadline) {
    return Optional.ofNullable(heads.get(table)).map(Stored::value);
  }

  @Override
  public synchronized Optional<Manifest> manifest(TableId table, long version, Deadline deadline) {
    return Optional.ofNullable(manifests.get(new Key(table, version)));
  }

  @Override
  public synchronized Optional<Location> location(String uri, Deadline deadline) {
    return Optional.ofNullable(locations.get(uri));
  }

  @Override
  public synchronized TakeOutcome take(
      Attempt attempt, long turn, Duration ttl, Deadline deadline) {
    Stored<Head> stored = heads.get(attempt.table());
    if (stored == null) {
      return new TakeOutcome.NoSuchTable(attempt.table());
    }
    if (stored.value().highestTurn() >= turn) {
      return new TakeOutcome.StaleTurn(stored.value());
    }
    revision++;
    Head head = stored.value().withHighestTurn(turn);
    EndlessLease lease = new EndlessLease();
    heads.put(attempt.table(), new Stored<>(head, revision));
    turns.put(attempt.table(), new Stored<>(lease, revision));
    return new TakeOutcome.Taken(
        new HeldTurn(turn, attempt, revision, revision, head, lease), head);
  }

  @Override
  public synchronized CommitOutcome commit(HeldTurn held, Commit commit, Deadline deadline) {
    CommitOutcome outcome = compareAndCommit(held, commit);
    if (commit.last() || !(outcome instanceof CommitOutcome.Committed)) {
      end(held);
    }
    return outcome;
  }

  private CommitOutcome compareAndCommit(HeldTurn held, Commit commit) {
    Stored<Head> head = heads.get(held.table());
    if (head == null) {
      return new CommitOutcome.Fenced(FailureCode.NO_SUCH_TABLE, "dropped", null);
    }
    if (!holds(held) || head.revision() != held.headRevision()) {
      return new CommitOutcome.Fenced(
          FailureCode.TURN_LOST, "turn " + held.turn() + " is not held", head.value());
    }
    Head next = Heads.after(held, commit);
    CommitOutcome refusal = Heads.refusal(held, commit, bytes(next));
    if (refusal != null) {
      return refusal;
    }
    revision++;
    heads.put(held.table(), new Stored<>(next, revision));
    manifests.put(new Key(held.table(), commit.version()), commit.manifest());
    if (commit.last()) {
      turns.remove(held.table());
    }
    return new CommitOutcome.Committed(held.after(next, revision), next);
  }

  @Override
  public synchronized ReleaseOutcome release(HeldTurn held, Deadline deadline) {
    boolean wasHeld = holds(held);
    end(held);
    return wasHeld ? new ReleaseOutcome.Released() : new ReleaseOutcome.NotHeld();
  }

  @Override
  public synchronized RegisterOutcome register(
      TableId table,
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      Deadline deadline) {
    Stored<Head> stored = heads.get(table);
    if (stored != null) {
      return stored.value().uri().equals(uri)
          ? new RegisterOutcome.AlreadyRegistered(stored.value())
          : new RegisterOutcome.RegisteredElsewhere(stored.value());
    }
    Location location = locations.get(uri);
    if (location != null) {
      return new RegisterOutcome.LocationTaken(location.table());
    }
    Head head = Heads.adopted(uri, version, manifest, mergedThrough, tombstones.get(table));
    int bytes = bytes(head);
    if (bytes > Heads.MAX_BYTES) {
      return new RegisterOutcome.TooManyShards(mergedThrough.size(), bytes, Heads.MAX_BYTES);
    }
    revision++;
    heads.put(table, new Stored<>(head, revision));
    locations.put(uri, new Location(table, head.tableIncarnation()));
    manifests.put(new Key(table, version), manifest);
    return new RegisterOutcome.Registered(head);
  }

  @Override
  public synchronized boolean drop(HeldTurn held, Deadline deadline) {
    Stored<Head> stored = heads.get(held.table());
    if (stored == null || !holds(held) || stored.revision() != held.headRevision()) {
      return false;
    }
    revision++;
    heads.remove(held.table());
    tombstones.put(held.table(), stored.value());
    locations.remove(stored.value().uri());
    end(held);
    return true;
  }

  @Override
  public synchronized boolean forget(HeldTurn held, long version, Deadline deadline) {
    if (!holds(held)) {
      return false;
    }
    long below = Math.min(version, held.head().version());
    manifests.keySet().removeIf(key -> key.table().equals(held.table()) && key.version() < below);
    return true;
  }

  @Override
  public synchronized ExecutorSession registerExecutor(
      ExecutorId executor, Duration ttl, Deadline deadline) {
    revision++;
    EndlessLease lease = new EndlessLease();
    EndlessLease earlier = executors.put(executor, lease);
    if (earlier != null) {
      earlier.end(Lease.Loss.REPLACED);
    }
    return new Session(executor, revision, lease);
  }

  /** Ends the lease of a turn as etcd does when its holder is silent for too long. */
  public synchronized void expire(HeldTurn held) {
    if (holds(held)) {
      turns.remove(held.table());
    }
    ((EndlessLease) held.lease()).end(Lease.Loss.REVOKED);
  }

  @Override
  public void close() {}

  /** About what etcd would store; the marks are what makes a head grow. */
  private static int bytes(Head head) {
    int bytes = BASE_BYTES + head.uri().length();
    for (ShardId shard : head.mergedThrough().keySet()) {
      bytes += shard.value().length() + MARK_BYTES;
    }
    return bytes;
  }

  private boolean holds(HeldTurn held) {
    @Nullable Stored<EndlessLease> turn = turns.get(held.table());
    return turn != null && turn.revision() == held.turnRevision();
  }

  private void end(HeldTurn held) {
    if (holds(held)) {
      turns.remove(held.table());
    }
    ((EndlessLease) held.lease()).end(Lease.Loss.CLOSED);
  }

  private record Session(ExecutorId executor, long incarnation, EndlessLease lease)
      implements ExecutorSession {
    @Override
    public void close() {
      lease.end(Lease.Loss.CLOSED);
    }
  }
}
