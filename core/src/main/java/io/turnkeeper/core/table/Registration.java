package io.turnkeeper.core.table;

import java.util.List;

/** Where a registered table lies and how its log is folded in. */
public record Registration(
    String uri,
    String walUri,
    List<String> keyColumns,
    MergeMode mergeMode,
    List<IndexSpec> indexes) {
  public Registration {
    keyColumns = List.copyOf(keyColumns);
    indexes = List.copyOf(indexes);
  }
}
