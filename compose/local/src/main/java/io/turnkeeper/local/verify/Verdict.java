package io.turnkeeper.local.verify;

import java.util.List;

/**
 * What a verification found; travels as JSON from the process that verified.
 *
 * @param unknownKeys rows of the table that no writer sealed
 * @param generationsMerged generations that the authority's head says are in the table
 * @param versions how many versions the table has
 * @param problems one line for each disagreement, empty if there is none
 * @param plan how Lance looks up one key
 */
public record Verdict(
    long rowsSealed,
    long rowsInTable,
    long duplicateKeys,
    long missingKeys,
    long unknownKeys,
    long generationsSealed,
    long generationsMerged,
    long versions,
    long newestOnDisk,
    long newestInEtcd,
    long newestInJournal,
    int sampledKeys,
    boolean indexAgrees,
    boolean indexUsed,
    boolean headEqualsDisk,
    boolean versionsNameGrantedTurns,
    List<String> problems,
    String plan) {
  public Verdict {
    problems = List.copyOf(problems);
  }

  public boolean ok() {
    return problems.isEmpty();
  }
}
