package io.turnkeeper.core.table;

import java.util.Map;
import java.util.stream.Collectors;

/** Which changes of a table its readers are to see at once. */
public final class News {
  private News() {}

  /** Whether a unit's phase, the turn or the backlog's class is another one. */
  @SuppressWarnings("ReferenceEquality") // Most events touch no unit and share the map.
  public static boolean between(TableState before, TableState after) {
    return !before.turns().equals(after.turns())
        || !backlog(before).equals(backlog(after))
        || (before.units() != after.units() && !phases(before).equals(phases(after)));
  }

  private static Backlog backlog(TableState state) {
    return Backlog.of(state.pendingGenerations());
  }

  private static Map<Long, Unit.Phase> phases(TableState state) {
    return state.units().values().stream()
        .collect(Collectors.toMap(unit -> unit.id().sequence(), Unit::phase));
  }
}
