package io.turnkeeper.core.table;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one table wants of one kind now.
 *
 * @param score dimensionless; 1 means due
 * @param rank the class, 0 first; meaningful when the work is due
 * @param due whether there is enough of it
 * @param yieldsTo the kind that has to be further along before this one begins; null if none
 * @param spec what the unit would do; null if there is nothing
 * @param expectedBytes the memory it will need, in bytes
 * @param inputs the score's inputs, for people
 */
record Demand(
    Kind kind,
    double score,
    int rank,
    boolean due,
    @Nullable Kind yieldsTo,
    Mode mode,
    @Nullable WorkSpec spec,
    long expectedBytes,
    String inputs) {
  private static final long MIB = 1L << 20;

  /** The least any unit reserves: buffers and the native library's own use. */
  private static final long BASE_BYTES = 64 * MIB;

  /** The most a first guess asks for: preparations stream, whatever the table's size. */
  private static final long MOST_BYTES = 1024 * MIB;

  static Demand none(Kind kind, String inputs) {
    return new Demand(kind, 0, Ranks.REST, false, null, Mode.OUTSIDE, null, 0, inputs);
  }

  static Demand of(Kind kind, TableState state, Context context, Now now) {
    Policy policy = context.policyOf(state);
    Registration registration = state.registration();
    if (registration == null) {
      return none(kind, "not registered");
    }
    return switch (kind) {
      case MERGE_WAL -> merge(state, registration, policy, now);
      case COMPACT -> compact(state, policy, context.settings(), now);
      case INDEX -> index(state, registration, policy, context.settings());
      case REPAIR -> repair(state);
      case OBSERVE -> observe(state, policy, now);
      case RETIRE -> none(kind, "not scheduled by demand");
    };
  }

  private static Demand merge(TableState state, Registration registration, Policy policy, Now now) {
    MergePlan plan = MergePlan.of(state, policy, now.atMillis());
    if (plan.ranges().isEmpty()) {
      return none(Kind.MERGE_WAL, "no pending generation");
    }
    long age = plan.oldestFlushMillis() == 0 ? 0 : now.atMillis() - plan.oldestFlushMillis();
    double score = Scores.merge(plan.pending(), plan.pendingBytes(), age, policy);
    boolean urgent = plan.pending() >= policy.mergeUrgent();
    boolean agedTail = score < 1 && age >= policy.mergeMaxAgeMillis();
    int rank = urgent ? Ranks.URGENT : score >= 1 ? Ranks.DUE_MERGE : Ranks.REST;
    return new Demand(
        Kind.MERGE_WAL,
        score,
        rank,
        urgent || score >= 1 || agedTail || state.triggered().contains(Kind.MERGE_WAL),
        null,
        Mode.OUTSIDE,
        plan.spec(state, registration),
        Math.max(BASE_BYTES, Math.min(2 * plan.bytes(), policy.mergeMaxBytes())),
        plan.pending() + " generations, " + plan.pendingBytes() + " bytes, age " + age + " ms");
  }

  private static Demand compact(TableState state, Policy policy, Settings settings, Now now) {
    Observation seen = state.observation();
    if (seen == null || seen.version() < state.done(Kind.COMPACT).publishedVersion()) {
      return none(Kind.COMPACT, "not observed since the last compaction");
    }
    if (state.done(Kind.COMPACT).nothingAtVersion() >= seen.version()) {
      return none(Kind.COMPACT, "nothing to do at version " + seen.version());
    }
    Unit indexing = state.unit(Kind.INDEX);
    MergePlan plan = MergePlan.of(state, policy, now.atMillis());
    double mergeScore = Scores.merge(plan.pending(), plan.pendingBytes(), 0, policy);
    double score = Scores.compact(seen.smallFragments(), mergeScore, policy);
    boolean prepared =
        policy.prepareCompact() != null
            ? policy.prepareCompact()
            : settings.preparesCompaction(state.table());
    return new Demand(
        Kind.COMPACT,
        score,
        Ranks.DUE_UPKEEP,
        isDue(state, Kind.COMPACT, score, seen.smallFragments()),
        withoutPlan(indexing),
        mode(state, Kind.COMPACT, prepared),
        new WorkSpec.Compact(
            policy.compactTargetRows(),
            policy.compactTargetBytes(),
            policy.compactMaxSourceFragments(),
            sourcesOf(indexing)),
        expected(state, Kind.COMPACT, 2 * seen.smallFragmentBytes()),
        seen.smallFragments() + " small fragments at version " + seen.version());
  }

  private static Demand index(
      TableState state, Registration registration, Policy policy, Settings settings) {
    Observation seen = state.observation();
    List<IndexSpec> wanted = policy.indexes() == null ? registration.indexes() : policy.indexes();
    if (seen == null || seen.version() < state.done(Kind.INDEX).publishedVersion()) {
      return none(Kind.INDEX, "not observed since the last index build");
    }
    if (wanted.isEmpty()) {
      return none(Kind.INDEX, "no index wanted");
    }
    if (seen.rows() == 0 || state.done(Kind.INDEX).nothingAtVersion() >= seen.version()) {
      return none(Kind.INDEX, "nothing to do at version " + seen.version());
    }
    IndexSpec neediest = wanted.get(0);
    double score = -1;
    String inputs = "";
    for (IndexSpec spec : wanted) {
      IndexObserved index = seen.index(spec.name());
      boolean absent = index == null || index.damaged();
      long uncovered = index == null ? seen.fragments() : index.uncoveredFragments();
      double each = Scores.index(absent, uncovered, policy);
      if (each > score) {
        score = each;
        neediest = spec;
        inputs =
            spec.name()
                + (index == null ? " is absent" : ": " + uncovered + " fragments uncovered");
      }
    }
    Unit compacting = state.unit(Kind.COMPACT);
    boolean prepared =
        policy.prepareIndex() != null
            ? policy.prepareIndex()
            : settings.preparesIndex(state.table());
    return new Demand(
        Kind.INDEX,
        score,
        Ranks.DUE_UPKEEP,
        isDue(state, Kind.INDEX, score, seen.fragments()),
        withoutPlan(compacting),
        mode(state, Kind.INDEX, prepared),
        new WorkSpec.BuildIndex(neediest, sourcesOf(compacting)),
        expected(state, Kind.INDEX, 2 * BASE_BYTES + seen.bytes() / 2),
        inputs);
  }

  private static Demand repair(TableState state) {
    Observation seen = state.observation();
    long missing = seen == null ? 0 : seen.missingFiles();
    return new Demand(
        Kind.REPAIR,
        missing > 0 ? Scores.NOW : 0,
        Ranks.RECOVERY,
        missing > 0,
        null,
        Mode.INSIDE,
        new WorkSpec.Repair(),
        BASE_BYTES,
        missing + " files missing");
  }

  private static Demand observe(TableState state, Policy policy, Now now) {
    Turns.Turn lost = state.turns().unresolved();
    WorkSpec spec = new WorkSpec.Observe();
    if (lost != null) {
      return new Demand(
          Kind.OBSERVE,
          Scores.NOW,
          Ranks.RECOVERY,
          true,
          null,
          Mode.INSIDE,
          spec,
          BASE_BYTES,
          "turn " + lost.number() + " is unresolved");
    }
    Observation seen = state.observation();
    long since = seen == null ? Long.MAX_VALUE : now.atMillis() - seen.atMillis();
    boolean afterDemand = since >= policy.observeAfterMillis() && state.changedSinceObserved();
    boolean due =
        seen == null
            || afterDemand
            || since >= policy.observeRescanAfterMillis()
            || state.triggered().contains(Kind.OBSERVE);
    return new Demand(
        Kind.OBSERVE,
        due ? 1 : 0,
        Ranks.REST,
        due,
        null,
        Mode.OUTSIDE,
        spec,
        BASE_BYTES,
        seen == null ? "never observed" : "observed " + since + " ms ago");
  }

  private static boolean isDue(TableState state, Kind kind, double score, long amount) {
    return score >= 1 || (amount > 0 && state.triggered().contains(kind));
  }

  /** Two preparations stay clear of each other, so the second waits for the first one's plan. */
  private static @Nullable Kind withoutPlan(@Nullable Unit other) {
    return other == null || other.sources() != null ? null : other.kind();
  }

  private static List<Long> sourcesOf(@Nullable Unit other) {
    List<Long> sources = other == null ? null : other.sources();
    return sources == null ? List.of() : sources;
  }

  /** A preparation that went stale twice in a row is done inside: being ready is not enough. */
  private static Mode mode(TableState state, Kind kind, boolean prepared) {
    Failure failure = state.ledger().get(Failure.key(kind));
    boolean keepsGoingStale =
        failure != null
            && failure.attempts() >= 2
            && failure.failureClass() == FailureCode.FailureClass.STALE;
    return prepared && !keepsGoingStale ? Mode.OUTSIDE : Mode.INSIDE;
  }

  private static long expected(TableState state, Kind kind, long estimate) {
    long peak = state.done(kind).peakBytes();
    return Math.max(BASE_BYTES, peak == 0 ? Math.min(estimate, MOST_BYTES) : peak);
  }
}
