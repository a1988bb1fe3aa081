package io.turnkeeper.core.table;

import io.turnkeeper.core.Require;

/** An index that a table should have. */
public record IndexSpec(String name, String column, IndexType type) {
  public IndexSpec {
    if (Require.text("index name", name).isEmpty() || Require.text("column", column).isEmpty()) {
      throw new IllegalArgumentException("expected an index with a name and a column");
    }
  }
}
