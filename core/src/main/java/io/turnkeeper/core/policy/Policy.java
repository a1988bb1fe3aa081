package io.turnkeeper.core.policy;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.table.IndexSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What holds for one table: its own document over the default document over the built-in values.
 *
 * @param prepareCompact null leaves the choice to the process settings' target lists
 * @param prepareIndex likewise
 * @param mergeMinBytes 0 leaves bytes out of the merge score
 * @param indexes null leaves the choice to the registration
 */
public record Policy(
    PolicyMode mode,
    PoolId pool,
    Set<Kind> kinds,
    @Nullable Boolean prepareCompact,
    @Nullable Boolean prepareIndex,
    long mergeMinGenerations,
    long mergeMinBytes,
    long mergeMaxAgeMillis,
    long mergeUrgent,
    long mergeMaxGenerations,
    long mergeMaxBytes,
    long indexMinUncovered,
    long observeAfterMillis,
    long observeRescanAfterMillis,
    long compactMinFragments,
    long compactTargetRows,
    long compactTargetBytes,
    long compactMaxSourceFragments,
    @Nullable List<IndexSpec> indexes,
    SortedMap<Kind, Long> maxConsecutive,
    long publishTimeoutMillis,
    SortedMap<Kind, Long> maxWaitMillis,
    long idleTimeoutMillis,
    SortedMap<Kind, Long> minIntervalMillis,
    Backpressure backpressure,
    long retireAfterMillis,
    long retireKeepVersions,
    long retireGarbageMaxBytes) {

  private static final long MIB = 1L << 20;
  private static final long HOUR_MILLIS = 3_600_000;

  /** What holds where nothing is set. */
  public static final Policy DEFAULT =
      new Policy(
          PolicyMode.ACTIVE,
          new PoolId("default"),
          EnumSet.allOf(Kind.class),
          null,
          null,
          8,
          0,
          HOUR_MILLIS,
          256,
          64,
          1024 * MIB,
          16,
          300_000,
          HOUR_MILLIS,
          16,
          1_000_000,
          1024 * MIB,
          256,
          null,
          new TreeMap<>(),
          60_000,
          new TreeMap<>(),
          600_000,
          new TreeMap<>(),
          Backpressure.METRIC,
          7 * 24 * HOUR_MILLIS,
          100,
          1024 * MIB);

  /** Lays {@code documents} over the built-in values, the later over the earlier. */
  public static Policy of(PolicyDocument... documents) {
    Policy policy = DEFAULT;
    for (PolicyDocument document : documents) {
      policy = policy.under(document);
    }
    return policy;
  }

  /** How many turns in a row one kind may have while another is ready. */
  public long maxConsecutive(Kind kind) {
    Long set = maxConsecutive.get(kind);
    return set != null ? set : kind == Kind.MERGE_WAL ? 2 : 1;
  }

  /** How long a unit of that kind may wait before it is promoted, in milliseconds. */
  public long maxWaitMillis(Kind kind) {
    Long set = maxWaitMillis.get(kind);
    if (set != null) {
      return set;
    }
    return switch (kind) {
      case MERGE_WAL -> 600_000;
      case COMPACT, INDEX -> 900_000;
      case REPAIR, RETIRE, OBSERVE -> HOUR_MILLIS;
    };
  }

  /** The least time from one success of a kind to the next beginning, in milliseconds. */
  public long minIntervalMillis(Kind kind) {
    Long set = minIntervalMillis.get(kind);
    return set != null ? set : kind == Kind.RETIRE ? HOUR_MILLIS : 0;
  }

  /** Whether work of that kind may begin under this policy. */
  public boolean allows(Kind kind) {
    if (!kinds.contains(kind)) {
      return false;
    }
    return switch (mode) {
      case ACTIVE, SHADOW -> true;
      case DRAIN -> kind == Kind.MERGE_WAL || kind == Kind.OBSERVE;
      case FROZEN -> kind == Kind.OBSERVE;
    };
  }

  private Policy under(PolicyDocument over) {
    if (over.equals(PolicyDocument.EMPTY)) {
      return this; // Most tables say nothing of their own, and this is asked at every decision.
    }
    return new Policy(
        or(over.mode(), mode),
        or(over.pool(), pool),
        over.kinds() == null ? kinds : Set.copyOf(over.kinds()),
        over.prepareCompact() == null ? prepareCompact : over.prepareCompact(),
        over.prepareIndex() == null ? prepareIndex : over.prepareIndex(),
        or(over.mergeMinGenerations(), mergeMinGenerations),
        or(over.mergeMinBytes(), mergeMinBytes),
        or(over.mergeMaxAgeMillis(), mergeMaxAgeMillis),
        or(over.mergeUrgent(), mergeUrgent),
        or(over.mergeMaxGenerations(), mergeMaxGenerations),
        or(over.mergeMaxBytes(), mergeMaxBytes),
        or(over.indexMinUncovered(), indexMinUncovered),
        or(over.observeAfterMillis(), observeAfterMillis),
        or(over.observeRescanAfterMillis(), observeRescanAfterMillis),
        or(over.compactMinFragments(), compactMinFragments),
        or(over.compactTargetRows(), compactTargetRows),
        or(over.compactTargetBytes(), compactTargetBytes),
        or(over.compactMaxSourceFragments(), compactMaxSourceFragments),
        over.indexes() == null ? indexes : over.indexes(),
        or(over.maxConsecutive(), maxConsecutive),
        or(over.publishTimeoutMillis(), publishTimeoutMillis),
        or(over.maxWaitMillis(), maxWaitMillis),
        or(over.idleTimeoutMillis(), idleTimeoutMillis),
        or(over.minIntervalMillis(), minIntervalMillis),
        or(over.backpressure(), backpressure),
        or(over.retireAfterMillis(), retireAfterMillis),
        or(over.retireKeepVersions(), retireKeepVersions),
        or(over.retireGarbageMaxBytes(), retireGarbageMaxBytes));
  }

  private static <T> T or(@Nullable T value, T inherited) {
    return value == null ? inherited : value;
  }
}
