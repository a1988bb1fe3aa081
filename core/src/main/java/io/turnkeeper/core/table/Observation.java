package io.turnkeeper.core.table;

import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the newest manifest that anybody read says about the table. */
public record Observation(
    long version,
    long fragments,
    long smallFragments,
    long smallFragmentBytes,
    long rows,
    long bytes,
    List<IndexObserved> indexes,
    long missingFiles,
    long garbageBytes,
    long lastWriteAtMillis,
    long atMillis) {
  public Observation {
    indexes = List.copyOf(indexes);
  }

  @Nullable IndexObserved index(String name) {
    for (IndexObserved index : indexes) {
      if (index.name().equals(name)) {
        return index;
      }
    }
    return null;
  }
}
