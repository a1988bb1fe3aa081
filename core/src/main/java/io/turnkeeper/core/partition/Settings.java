package io.turnkeeper.core.partition;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import java.util.List;

/**
 * The process settings that rules read; times in milliseconds of observed time.
 *
 * @param claimTimeoutMillis from placement to claim
 * @param takeTimeoutMillis from grant to the turn being taken
 * @param cancelTimeoutMillis from a cancel to believing the worker silent
 * @param executorTimeoutMillis from an executor's last word to losing it
 * @param placementsPerMinute how many units one executor is given in a minute at most
 * @param bytesInFlight how many bytes one pool reserves at most, on all its executors together
 * @param compactPrepareTargets table names, or {@code *}, whose compactions are prepared outside
 * @param indexPrepareTargets likewise for index builds
 */
public record Settings(
    long claimTimeoutMillis,
    long takeTimeoutMillis,
    long cancelTimeoutMillis,
    long executorTimeoutMillis,
    long placementsPerMinute,
    long bytesInFlight,
    List<String> compactPrepareTargets,
    List<String> indexPrepareTargets) {
  /** What holds where nothing is configured. */
  public static final Settings DEFAULT =
      new Settings(30_000, 5_000, 2_000, 15_000, 600, Require.MAX_NUMBER, List.of(), List.of());

  public Settings {
    Require.positive("claimTimeoutMillis", claimTimeoutMillis);
    Require.positive("takeTimeoutMillis", takeTimeoutMillis);
    Require.positive("cancelTimeoutMillis", cancelTimeoutMillis);
    Require.positive("executorTimeoutMillis", executorTimeoutMillis);
    Require.positive("placementsPerMinute", placementsPerMinute);
    Require.positive("bytesInFlight", bytesInFlight);
    compactPrepareTargets = List.copyOf(compactPrepareTargets);
    indexPrepareTargets = List.copyOf(indexPrepareTargets);
  }

  /** The same with these tables' compactions and index builds prepared outside. */
  public Settings preparing(List<String> compactTargets, List<String> indexTargets) {
    return new Settings(
        claimTimeoutMillis,
        takeTimeoutMillis,
        cancelTimeoutMillis,
        executorTimeoutMillis,
        placementsPerMinute,
        bytesInFlight,
        compactTargets,
        indexTargets);
  }

  public boolean preparesCompaction(TableId table) {
    return isTarget(compactPrepareTargets, table);
  }

  public boolean preparesIndex(TableId table) {
    return isTarget(indexPrepareTargets, table);
  }

  private static boolean isTarget(List<String> targets, TableId table) {
    return targets.contains("*") || targets.contains(table.value());
  }
}
