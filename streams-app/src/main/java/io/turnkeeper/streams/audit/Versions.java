package io.turnkeeper.streams.audit;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The committed versions of one incarnation of a table, as reports name them. */
final class Versions {
  private final String name;
  private final Problems problems;
  private final SortedMap<Long, Commit> commits = new TreeMap<>();

  /** A version's turn, and whether it was the first that its publisher named. */
  private record Commit(long turn, boolean first, String where) {}

  Versions(String name, Problems problems) {
    this.name = name;
    this.problems = problems;
  }

  long count() {
    return commits.size();
  }

  /** A publisher names all the versions it committed. */
  void published(List<Long> versions, long turn, String where) {
    for (int i = 0; i < versions.size(); i++) {
      if (i > 0 && versions.get(i) != versions.get(i - 1) + 1) {
        problems.add(where, name + ": expected versions to rise by one, but they are " + versions);
      }
      add(versions.get(i), new Commit(turn, i == 0, where), where);
    }
  }

  /** Of a commit that was only found out, the last version is known. */
  void observed(long version, long turn, String where) {
    if (version > 0) {
      add(version, new Commit(turn, false, where), where);
    }
  }

  private void add(long version, Commit commit, String where) {
    Commit known = commits.get(version);
    if (known == null || (known.turn() == commit.turn() && commit.first())) {
      commits.put(version, commit);
    } else if (known.turn() != commit.turn()) {
      problems.add(
          where,
          name
              + ": version "
              + version
              + " is of turn "
              + commit.turn()
              + " here and of turn "
              + known.turn()
              + " in "
              + known.where());
    }
  }

  /** Reports of one commit come in any order, so what lies between them shows at the end. */
  void end() {
    long version = 0;
    long turn = 0;
    for (Map.Entry<Long, Commit> entry : commits.entrySet()) {
      Commit commit = entry.getValue();
      if (version > 0 && commit.first() && entry.getKey() != version + 1) {
        problems.add(
            commit.where(),
            name + ": expected version " + (version + 1) + " next, but it is " + entry.getKey());
      }
      if (commit.turn() < turn) {
        problems.add(
            commit.where(),
            name
                + ": version "
                + entry.getKey()
                + " is of turn "
                + commit.turn()
                + ", the one before it of turn "
                + turn);
      }
      version = entry.getKey();
      turn = commit.turn();
    }
  }
}
