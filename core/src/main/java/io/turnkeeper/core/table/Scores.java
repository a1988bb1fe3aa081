package io.turnkeeper.core.table;

import io.turnkeeper.core.policy.Policy;

/** How much a table wants each kind of work: pure and dimensionless; 1 means due. */
public final class Scores {
  /** Wanted at once: a missing index, missing files. */
  public static final double NOW = Double.POSITIVE_INFINITY;

  private Scores() {}

  /** {@code max(pending / minGenerations, bytes / minBytes) × (1 + age / maxAge)}. */
  public static double merge(long pending, long pendingBytes, long ageMillis, Policy policy) {
    double byCount = (double) pending / policy.mergeMinGenerations();
    double byBytes =
        policy.mergeMinBytes() == 0 ? 0 : (double) pendingBytes / policy.mergeMinBytes();
    double age = (double) Math.max(0, ageMillis) / policy.mergeMaxAgeMillis();
    return Math.max(byCount, byBytes) * (1 + age);
  }

  /** {@code smallFragments / minFragments}, halved while a merge is due. */
  public static double compact(long smallFragments, double mergeScore, Policy policy) {
    double score = (double) smallFragments / policy.compactMinFragments();
    return mergeScore >= 1 ? score / 2 : score;
  }

  /** {@code uncovered / minUncovered}, or {@link #NOW} if the index is absent or damaged. */
  public static double index(boolean absentOrDamaged, long uncovered, Policy policy) {
    return absentOrDamaged ? NOW : (double) uncovered / policy.indexMinUncovered();
  }

  /** 1 if nothing was written for long, or too much lies there that nobody needs, else 0. */
  public static double retire(long idleMillis, long garbageBytes, Policy policy) {
    boolean due =
        idleMillis >= policy.retireAfterMillis() || garbageBytes > policy.retireGarbageMaxBytes();
    return due ? 1 : 0;
  }

  /** ⌊log2 score⌋, in [-64, 64]: ranks change only when a score doubles or halves. */
  public static int log2(double score) {
    return Math.max(-64, Math.min(64, Math.getExponent(score)));
  }
}
