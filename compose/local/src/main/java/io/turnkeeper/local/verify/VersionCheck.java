package io.turnkeeper.local.verify;

import io.turnkeeper.local.story.Telling;
import io.turnkeeper.local.story.TurnStory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Compares the versions on disk with the turns that the journal says were granted. */
final class VersionCheck {
  private static final String TURN = "turn";

  private final TableOnDisk table;
  private final Telling journal;
  private final Set<Long> granted;
  private final List<String> problems = new ArrayList<>();

  VersionCheck(TableOnDisk table, Telling journal) {
    this.table = table;
    this.journal = journal;
    this.granted =
        journal.turns().stream()
            .filter(TurnStory::wasGranted)
            .map(TurnStory::turn)
            .collect(Collectors.toSet());
  }

  /** One line for each version that does not rise by one or does not name a granted turn. */
  List<String> problems(List<Long> versions) {
    long before = versions.get(0);
    for (long version : versions.subList(1, versions.size())) {
      if (version != before + 1) {
        problems.add(
            "expected version " + (before + 1) + " after " + before + ", but it is " + version);
      }
      before = version;
    }
    // The first version is the one that was adopted when the table was registered.
    long lastTurn = 0;
    for (long version : versions.subList(1, versions.size())) {
      long turn = turnOf(version);
      if (turn < lastTurn) {
        problems.add(
            "expected turns to rise, but version "
                + version
                + " has turn "
                + turn
                + " after "
                + lastTurn);
      }
      lastTurn = Math.max(lastTurn, turn);
    }
    return problems;
  }

  private long turnOf(long version) {
    Optional<Long> onDisk = onDisk(version);
    Long inJournal = journal.turnOfVersion().get(version);
    if (onDisk.isEmpty() && inJournal == null) {
      problems.add("version " + version + " names no turn, on disk or in the journal");
      return 0;
    }
    if (onDisk.isPresent() && inJournal != null && !onDisk.get().equals(inJournal)) {
      problems.add(
          "version "
              + version
              + " has turn "
              + onDisk.get()
              + " on disk and "
              + inJournal
              + " in the journal");
    }
    long turn = onDisk.orElse(inJournal == null ? 0L : inJournal);
    if (!granted.contains(turn)) {
      problems.add("version " + version + " names turn " + turn + ", which was never granted");
    }
    return turn;
  }

  private Optional<Long> onDisk(long version) {
    Optional<Map<String, String>> properties = table.transactionProperties(version);
    return properties.map(map -> map.get(TURN)).map(Long::valueOf);
  }
}
