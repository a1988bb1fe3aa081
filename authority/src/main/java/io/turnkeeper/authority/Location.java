package io.turnkeeper.authority;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;

/** The table that owns a place, so that one directory never has two heads. */
public record Location(TableId table, long tableIncarnation) {
  public Location {
    Require.positive("tableIncarnation", tableIncarnation);
  }
}
