package io.turnkeeper.worker.trial;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.WorkSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The kinds of work whose holders become zombies; those that commit to the table. */
public enum TrialWork {
  MERGE(Kind.MERGE_WAL),
  /** Half of the log's keys are in the table already. */
  UPSERT(Kind.MERGE_WAL),
  COMPACT(Kind.COMPACT),
  INDEX(Kind.INDEX),
  /** The file of the first fragment is gone. */
  REPAIR(Kind.REPAIR);

  private final Kind kind;

  TrialWork(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public WorkSpec spec() {
    return switch (this) {
      case MERGE -> merge(MergeMode.APPEND, List.of());
      case UPSERT -> merge(MergeMode.UPSERT, List.of(TrialRows.COLUMN));
      case COMPACT -> new WorkSpec.Compact(1_000, 1L << 30, 100, List.of());
      case INDEX ->
          new WorkSpec.BuildIndex(
              new IndexSpec("by_n", TrialRows.COLUMN, IndexType.BTREE), List.of());
      case REPAIR -> new WorkSpec.Repair();
    };
  }

  private static WorkSpec merge(MergeMode mode, List<String> keys) {
    return new WorkSpec.MergeWal(
        new TreeMap<>(Map.of(new ShardId("a"), new WorkSpec.GenerationRange(1, 2))),
        new TreeMap<>(),
        mode,
        keys);
  }

  boolean merges() {
    return kind == Kind.MERGE_WAL;
  }

  /** The first row of the log. */
  int firstLogged() {
    return this == UPSERT ? TrialTable.SEEDS - TrialTable.LOGGED / 2 : 100;
  }

  /** The first row of the log that is not in the table before. */
  int firstNew() {
    return Math.max(firstLogged(), TrialTable.SEEDS);
  }

  /** How many rows of the log are not in the table before. */
  int newRows() {
    return firstLogged() + TrialTable.LOGGED - firstNew();
  }

  /** The first row of the table that can be read. */
  int firstSeed() {
    return this == REPAIR ? TrialTable.SEEDS / TrialTable.FRAGMENTS : 0;
  }
}
