package io.turnkeeper.simulation.table;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One incarnation of a table as it lies on storage: fragments, an index, and its log. */
public final class SimTable {
  /** The index every table wants. */
  public static final IndexSpec INDEX = new IndexSpec("by_id", "id", IndexType.BTREE);

  private static final long PIECE_BYTES = 4L << 20;
  private static final long PIECE_ROWS = 10;

  private final TableId id;
  private final long incarnation;
  private final MergeMode mode;
  private final SortedMap<ShardId, SimLog> logs = new TreeMap<>();
  private final SortedMap<Long, Fragment> fragments = new TreeMap<>();
  private @Nullable Set<Long> indexed;
  private long lastFragment;
  private long version = 1;

  SimTable(TableId id, long incarnation, MergeMode mode, List<ShardId> shards) {
    this.id = id;
    this.incarnation = incarnation;
    this.mode = mode;
    shards.forEach(shard -> logs.put(shard, new SimLog(shard)));
  }

  /** Where an incarnation of a table lies; a new incarnation needs a new directory. */
  public static String uri(TableId id, long incarnation) {
    return "/data/" + id + "/" + incarnation;
  }

  public TableId id() {
    return id;
  }

  public long incarnation() {
    return incarnation;
  }

  public MergeMode mode() {
    return mode;
  }

  public long version() {
    return version;
  }

  public SortedMap<ShardId, SimLog> logs() {
    return logs;
  }

  public SimLog log(ShardId shard) {
    SimLog log = logs.get(shard);
    if (log == null) {
      throw new IllegalStateException("expected shard " + shard + " of " + id);
    }
    return log;
  }

  public SortedMap<Long, Fragment> fragments() {
    return fragments;
  }

  /** Whether the index was ever built. */
  public boolean isIndexed() {
    return indexed != null;
  }

  /** A change that a commit makes real. */
  public interface Change {
    void applyTo(SimTable table);
  }

  void committed(long newVersion, Change change) {
    version = newVersion;
    change.applyTo(this);
  }

  /** Adds a fragment with these rows. */
  public void add(List<Piece> pieces) {
    lastFragment++;
    fragments.put(lastFragment, Fragment.of(lastFragment, pieces));
  }

  /** Puts one fragment in the place of some. */
  public void rewrite(List<Long> sources) {
    List<Piece> pieces = new ArrayList<>();
    for (long source : sources) {
      Fragment old = fragments.remove(source);
      if (old != null) {
        pieces.addAll(old.pieces());
      }
    }
    add(pieces);
  }

  /** Changes rows of a fragment in place. */
  public void edit(long fragment) {
    fragments.computeIfPresent(fragment, (key, old) -> old.edited());
  }

  /** Extends the index to these fragments. */
  public void index(Set<Long> covered) {
    Set<Long> all = indexed == null ? new TreeSet<>() : new TreeSet<>(indexed);
    all.addAll(covered);
    indexed = all;
  }

  /** The file of the newest fragment is gone. */
  public boolean loseNewestFile() {
    if (fragments.isEmpty()) {
      return false;
    }
    fragments.computeIfPresent(fragments.lastKey(), (key, old) -> old.withoutFile());
    return true;
  }

  /** Drops the fragments whose files are gone. */
  public void dropLost() {
    fragments.values().removeIf(Fragment::lost);
  }

  public TableRegistered registration() {
    return new TableRegistered(
        id,
        incarnation,
        uri(id, incarnation),
        uri(id, incarnation) + ".wal",
        mode == MergeMode.UPSERT ? List.of("id") : List.of(),
        mode,
        List.of(INDEX));
  }

  public TableObserved observation(long nowMillis) {
    long small = fragments.values().stream().filter(Fragment::isSmall).count();
    long lost = fragments.values().stream().filter(Fragment::lost).count();
    long pieces = fragments.values().stream().mapToLong(one -> one.pieces().size()).sum();
    Set<Long> covered = indexed;
    List<IndexObserved> indexes =
        covered == null
            ? List.of()
            : List.of(
                new IndexObserved(
                    INDEX.name(),
                    INDEX.column(),
                    INDEX.type(),
                    fragments.keySet().stream().filter(one -> !covered.contains(one)).count(),
                    1,
                    false));
    return new TableObserved(
        id,
        incarnation,
        version,
        fragments.size(),
        small,
        small * PIECE_BYTES,
        pieces * PIECE_ROWS,
        pieces * PIECE_BYTES,
        0,
        indexes,
        lost,
        0,
        nowMillis);
  }
}
