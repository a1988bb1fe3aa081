package io.turnkeeper.simulation.table;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** All tables as they lie on storage, and the manifests that are staged for them. */
public final class Tables {
  /** A moment that no simulated call waits for. */
  public static final Deadline NO_DEADLINE = new Deadline(Long.MAX_VALUE);

  private static final String DIGEST = "0".repeat(64);

  private final SortedMap<TableId, SimTable> current = new TreeMap<>();
  private final Map<String, SimTable.Change> staged = new HashMap<>();
  private long manifests;

  /** Registers a table that is empty, in a directory of its own. */
  public SimTable register(
      Authority authority, TableId id, long incarnation, MergeMode mode, List<ShardId> shards) {
    RegisterOutcome outcome =
        authority.register(
            id, SimTable.uri(id, incarnation), 1, manifest(), new TreeMap<>(), NO_DEADLINE);
    if (!(outcome instanceof RegisterOutcome.Registered)) {
      throw new IllegalStateException("expected to register " + id + ", but " + outcome);
    }
    SimTable table = new SimTable(id, incarnation, mode, shards);
    current.put(id, table);
    return table;
  }

  public SimTable table(TableId id) {
    SimTable table = current.get(id);
    if (table == null) {
      throw new IllegalStateException("expected table " + id);
    }
    return table;
  }

  public SortedMap<TableId, SimTable> all() {
    return current;
  }

  /** Writes a manifest to a place of its own; the change is real once that is committed. */
  public Manifest stage(SimTable.Change change) {
    Manifest manifest = manifest();
    staged.put(manifest.path(), change);
    return manifest;
  }

  public Manifest manifest() {
    return new Manifest("_fence/" + ++manifests + ".pending", 1, DIGEST);
  }

  /** A commit became real: what was staged is the table now. */
  public void committed(HeldTurn held, Commit commit, Head head) {
    SimTable.Change change = staged.remove(commit.manifest().path());
    SimTable table = table(held.table());
    if (change == null || table.incarnation() != head.tableIncarnation()) {
      throw new Violation(
          "nothing is doubled", "a commit became real twice or in a dropped table: " + commit);
    }
    table.committed(head.version(), change);
  }
}
