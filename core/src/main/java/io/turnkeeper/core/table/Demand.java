package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one table wants of one kind now.
 *
 * @param score dimensionless; 1 means due
 * @param due whether there is enough of it
 * @param yieldsTo the kind that has to be further along before this one begins; null if none
 * @param spec what the unit would do; null if there is nothing
 * @param expectedBytes the memory it will need, in bytes
 * @param words the score's inputs, for people; put into words only where they are read
 */
record Demand(
    Kind kind,
    double score,
    boolean due,
    @Nullable Kind yieldsTo,
    Mode mode,
    @Nullable WorkSpec spec,
    long expectedBytes,
    Supplier<String> words) {
  private static final long MIB = 1L << 20;

  /** The least any unit reserves: buffers and the native library's own use. */
  private static final long BASE_BYTES = 64 * MIB;

  /** The most a first guess asks for: preparations stream, whatever the table's size. */
  private static final long MOST_BYTES = 1024 * MIB;

  /** What a compaction that went stale takes of its usual share. */
  private static final long STALE_SHARE = 8;

  private static final String NEVER_OBSERVED = "never observed";

  static Demand none(Kind kind, Supplier<String> words) {
    return new Demand(kind, 0, false, null, Mode.OUTSIDE, null, 0, words);
  }

  /** The score's inputs, for people. */
  String inputs() {
    return words.get();
  }

  /** Whether it asks for a unit now. */
  boolean begins() {
    return spec != null && due && yieldsTo == null;
  }

  static Demand of(Kind kind, Situation situation) {
    Registration registration = situation.state().registration();
    if (registration == null) {
      return none(kind, () -> "not registered");
    }
    return switch (kind) {
      case MERGE_WAL -> merge(situation, registration);
      case COMPACT -> compact(situation);
      case INDEX -> index(situation, registration);
      case REPAIR -> repair(situation.state());
      case RETIRE -> retire(situation);
      case OBSERVE -> observe(situation);
    };
  }

  private static Demand merge(Situation situation, Registration registration) {
    TableState state = situation.state();
    Policy policy = situation.policy();
    MergePlan plan = situation.mergePlan();
    if (plan.ranges().isEmpty()) {
      return none(Kind.MERGE_WAL, () -> "no pending generation");
    }
    long age = plan.ageMillis(situation.atMillis());
    double score = situation.mergeScore();
    boolean due =
        score >= 1
            || age >= policy.mergeMaxAgeMillis()
            || plan.pending() >= policy.mergeUrgent()
            || state.triggered().contains(Kind.MERGE_WAL);
    long estimate = Math.min(2 * plan.bytes(), policy.mergeMaxBytes());
    return new Demand(
        Kind.MERGE_WAL,
        score,
        due,
        null,
        Mode.OUTSIDE,
        plan.spec(state, registration),
        // Merges differ in size, so a peak only raises what this one's bytes say.
        Math.max(atLeast(estimate), state.done(Kind.MERGE_WAL).peakBytes()),
        () ->
            plan.pending() + " generations, " + plan.pendingBytes() + " bytes, age " + age + " ms");
  }

  private static Demand compact(Situation situation) {
    TableState state = situation.state();
    Policy policy = situation.policy();
    Observation seen = state.observation();
    Supplier<String> unseen = unseen(state, Kind.COMPACT);
    if (seen == null || unseen != null) {
      return none(Kind.COMPACT, orNever(unseen));
    }
    Unit indexing = state.unit(Kind.INDEX);
    double score = Scores.compact(seen.smallFragments(), situation.mergeScore(), policy);
    boolean prepared =
        policy.prepareCompact() != null
            ? policy.prepareCompact()
            : situation.settings().preparesCompaction(state.table());
    boolean stale = keepsGoingStale(state, Kind.COMPACT);
    long sources = policy.compactMaxSourceFragments();
    return new Demand(
        Kind.COMPACT,
        score,
        isDue(state, Kind.COMPACT, score, seen.smallFragments()),
        withoutPlan(indexing),
        prepared && !stale ? Mode.OUTSIDE : Mode.INSIDE,
        new WorkSpec.Compact(
            policy.compactTargetRows(),
            policy.compactTargetBytes(),
            // Others wait while it runs inside because it went stale, so it takes a small bite.
            prepared && stale ? Math.max(2, sources / STALE_SHARE) : sources,
            sourcesOf(indexing)),
        expected(state, Kind.COMPACT, 2 * seen.smallFragmentBytes()),
        () -> seen.smallFragments() + " small fragments at version " + seen.version());
  }

  private static Demand index(Situation situation, Registration registration) {
    TableState state = situation.state();
    Policy policy = situation.policy();
    Observation seen = state.observation();
    List<IndexSpec> wanted = policy.indexes() == null ? registration.indexes() : policy.indexes();
    if (wanted.isEmpty()) {
      return none(Kind.INDEX, () -> "no index wanted");
    }
    Supplier<String> unseen = unseen(state, Kind.INDEX);
    if (seen == null || unseen != null) {
      return none(Kind.INDEX, orNever(unseen));
    }
    if (seen.rows() == 0) {
      return none(Kind.INDEX, () -> "no rows at version " + seen.version());
    }
    IndexSpec neediest = wanted.get(0);
    double score = -1;
    Supplier<String> words = () -> "";
    for (IndexSpec spec : wanted) {
      IndexObserved index = seen.index(spec.name());
      boolean absent = index == null || index.damaged();
      long uncovered = index == null ? seen.fragments() : index.uncoveredFragments();
      double each = Scores.index(absent, uncovered, policy);
      if (each > score) {
        score = each;
        neediest = spec;
        words = () -> spec.name() + need(index, uncovered);
      }
    }
    Unit compacting = state.unit(Kind.COMPACT);
    boolean prepared =
        policy.prepareIndex() != null
            ? policy.prepareIndex()
            : situation.settings().preparesIndex(state.table());
    return new Demand(
        Kind.INDEX,
        score,
        isDue(state, Kind.INDEX, score, seen.fragments()),
        withoutPlan(compacting),
        prepared && !keepsGoingStale(state, Kind.INDEX) ? Mode.OUTSIDE : Mode.INSIDE,
        new WorkSpec.BuildIndex(neediest, sourcesOf(compacting)),
        expected(state, Kind.INDEX, 2 * BASE_BYTES + seen.bytes() / 2),
        words);
  }

  private static String need(@Nullable IndexObserved index, long uncovered) {
    return index == null
        ? " is absent"
        : index.damaged() ? " is damaged" : ": " + uncovered + " fragments uncovered";
  }

  /** Files are missing if a look says so, or a compaction or index build that failed since. */
  private static Demand repair(TableState state) {
    Observation seen = state.observation();
    long missing = seen == null || unseen(state, Kind.REPAIR) != null ? 0 : seen.missingFiles();
    boolean failed = missedFile(state);
    boolean due = missing > 0 || failed;
    return new Demand(
        Kind.REPAIR,
        due ? Scores.NOW : 0,
        due,
        null,
        Mode.INSIDE,
        new WorkSpec.Repair(),
        expected(state, Kind.REPAIR, BASE_BYTES),
        () -> failed ? "a unit missed a file" : missing + " files missing");
  }

  private static boolean missedFile(TableState state) {
    for (Map.Entry<String, Failure> entry : state.ledger().entrySet()) {
      if (Failure.isMendedByRepair(entry.getKey(), entry.getValue())
          && entry.getValue().lastAtMillis() > state.done(Kind.REPAIR).lastSuccessMillis()) {
        return true;
      }
    }
    return false;
  }

  private static Demand retire(Situation situation) {
    TableState state = situation.state();
    Policy policy = situation.policy();
    Observation seen = state.observation();
    Supplier<String> unseen = unseen(state, Kind.RETIRE);
    if (seen == null || unseen != null) {
      return none(Kind.RETIRE, orNever(unseen));
    }
    long idle = Math.max(0, situation.atMillis() - seen.lastWriteAtMillis());
    double score = Scores.retire(idle, seen.garbageBytes(), policy);
    return new Demand(
        Kind.RETIRE,
        score,
        isDue(state, Kind.RETIRE, score, 1),
        null,
        Mode.INSIDE,
        new WorkSpec.Retire(policy.retireKeepVersions(), oldestLive(state)),
        expected(state, Kind.RETIRE, BASE_BYTES),
        () -> "idle for " + idle + " ms, " + seen.garbageBytes() + " bytes of garbage");
  }

  /** The unit that is decided on now is younger than all that live. */
  private static long oldestLive(TableState state) {
    return state.units().values().stream()
        .mapToLong(unit -> unit.id().sequence())
        .min()
        .orElse(state.lastUnit() + 1);
  }

  private static Demand observe(Situation situation) {
    TableState state = situation.state();
    Policy policy = situation.policy();
    Turns.Turn lost = state.turns().unresolved();
    WorkSpec spec = new WorkSpec.Observe();
    long bytes = expected(state, Kind.OBSERVE, BASE_BYTES);
    if (lost != null) {
      return new Demand(
          Kind.OBSERVE,
          Scores.NOW,
          true,
          null,
          Mode.INSIDE,
          spec,
          bytes,
          () -> "turn " + lost.number() + " is unresolved");
    }
    long last = state.lastLookMillis();
    long since = situation.atMillis() - last;
    boolean due =
        last == 0
            || last <= situation.gapAtMillis()
            || (since >= policy.observeAfterMillis() && state.changedSinceObserved())
            || since >= policy.observeRescanAfterMillis()
            || state.triggered().contains(Kind.OBSERVE);
    return new Demand(
        Kind.OBSERVE,
        due ? 1 : 0,
        due,
        null,
        Mode.OUTSIDE,
        spec,
        bytes,
        () -> last == 0 ? NEVER_OBSERVED : "observed " + since + " ms ago");
  }

  /** Why the last look says nothing about what the kind would find; null if it does. */
  private static @Nullable Supplier<String> unseen(TableState state, Kind kind) {
    Observation seen = state.observation();
    if (seen == null) {
      return () -> NEVER_OBSERVED;
    }
    Done done = state.done(kind);
    if (seen.version() < done.publishedVersion()) {
      return () -> "not observed since the last " + kind + " at version " + done.publishedVersion();
    }
    return done.nothingAtVersion() >= seen.version()
        ? () -> "nothing to do at version " + seen.version()
        : null;
  }

  private static Supplier<String> orNever(@Nullable Supplier<String> unseen) {
    return unseen == null ? () -> NEVER_OBSERVED : unseen;
  }

  private static boolean isDue(TableState state, Kind kind, double score, long amount) {
    return score >= 1 || (amount > 0 && state.triggered().contains(kind));
  }

  /**
   * Two preparations stay clear of each other, so the second waits for the first one's plan; not
   * while that one waits to be tried again, which may take as long as it likes.
   */
  private static @Nullable Kind withoutPlan(@Nullable Unit other) {
    if (other == null || other.sources() != null) {
      return null;
    }
    return other.phase() == Unit.Phase.REQUESTED && other.attempt() > 1 ? null : other.kind();
  }

  private static List<Long> sourcesOf(@Nullable Unit other) {
    List<Long> sources = other == null ? null : other.sources();
    return sources == null ? List.of() : sources;
  }

  /** A preparation that went stale twice in a row is done inside: being ready is not enough. */
  private static boolean keepsGoingStale(TableState state, Kind kind) {
    Failure failure = state.ledger().get(Failure.key(kind));
    return failure != null && failure.attempts() >= 2 && failure.isStalePreparation();
  }

  /** A first guess, then what units of the kind were seen to need. */
  private static long expected(TableState state, Kind kind, long estimate) {
    long peak = state.done(kind).peakBytes();
    return atLeast(peak == 0 ? Math.min(estimate, MOST_BYTES) : peak);
  }

  private static long atLeast(long bytes) {
    return Math.max(BASE_BYTES, bytes);
  }
}
