package io.turnkeeper.simulation;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The policies of a life: small limits, so that everything comes due within minutes. */
final class Policies {
  /** Holds for every table that has no policy of its own. */
  static final PolicyDocument DEFAULT =
      document(
          Map.ofEntries(
              Map.entry("prepareCompact", true),
              Map.entry("prepareIndex", true),
              Map.entry("mergeMinGenerations", 8L),
              Map.entry("mergeMaxAgeMillis", 60_000L),
              Map.entry("mergeUrgent", 32L),
              Map.entry("observeAfterMillis", 20_000L),
              Map.entry("observeRescanAfterMillis", 120_000L),
              Map.entry("compactMinFragments", 4L),
              Map.entry("indexMinUncovered", 3L),
              Map.entry("publishTimeoutMillis", 15_000L),
              Map.entry("idleTimeoutMillis", 30_000L),
              Map.entry(
                  "maxWaitMillis",
                  new TreeMap<>(
                      new EnumMap<>(
                          Map.of(
                              Kind.MERGE_WAL, 60_000L,
                              Kind.COMPACT, 90_000L,
                              Kind.INDEX, 90_000L,
                              Kind.REPAIR, 60_000L,
                              Kind.RETIRE, 300_000L,
                              Kind.OBSERVE, 120_000L))))));

  /** What an operator sets on one table now and then. */
  static final List<PolicyDocument> OTHERS =
      List.of(
          document(Map.of("prepareCompact", false, "prepareIndex", false)),
          document(Map.of("mergeMaxGenerations", 3L, "mergeUrgent", 12L)),
          document(Map.of("mergeMinGenerations", 1L)),
          document(
              Map.of("maxConsecutive", new TreeMap<>(new EnumMap<>(Map.of(Kind.MERGE_WAL, 4L))))),
          document(Map.of("mode", PolicyMode.FROZEN)),
          document(Map.of("mode", PolicyMode.DRAIN)),
          document(
              Map.of(
                  "mode", PolicyMode.SHADOW,
                  "retireKeepVersions", 1L,
                  "compactTargetRows", 50L,
                  "retireAfterMillis", 1L)),
          document(Map.of("kinds", List.of(Kind.MERGE_WAL, Kind.OBSERVE, Kind.INDEX))),
          document(Map.of("publishTimeoutMillis", 2_000L, "idleTimeoutMillis", 5_000L)),
          PolicyDocument.EMPTY);

  private Policies() {}

  /** A document that sets these fields, by name, and inherits all others. */
  private static PolicyDocument document(Map<String, Object> fields) {
    List<Class<?>> types = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (RecordComponent component : PolicyDocument.class.getRecordComponents()) {
      types.add(component.getType());
      values.add(fields.get(component.getName()));
    }
    try {
      return PolicyDocument.class
          .getDeclaredConstructor(types.toArray(Class<?>[]::new))
          .newInstance(values.toArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("expected a policy document to be made of " + fields, e);
    }
  }
}
