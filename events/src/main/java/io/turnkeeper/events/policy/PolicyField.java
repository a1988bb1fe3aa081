package io.turnkeeper.events.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.policy.Backpressure;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyDraft;
import io.turnkeeper.core.policy.PolicyMode;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One field of the document: where it stands in JSON and in {@link PolicyDocument}.
 *
 * @param path its names from the outermost object inwards, joined by dots
 */
record PolicyField<T>(
    String path,
    Shape<T> shape,
    Function<PolicyDocument, @Nullable T> get,
    BiConsumer<PolicyDraft, T> set) {

  /** Every field, in the order in which they are written. */
  static final List<PolicyField<?>> ALL =
      List.of(
          field(
              "mode", Shape.constant(PolicyMode.class), PolicyDocument::mode, (d, v) -> d.mode = v),
          field(
              "pool",
              Shape.text(PoolId::new, PoolId::value),
              PolicyDocument::pool,
              (d, v) -> d.pool = v),
          field("kinds", Shape.KINDS, PolicyDocument::kinds, (d, v) -> d.kinds = v),
          field(
              "prepare.compact",
              Shape.FLAG,
              PolicyDocument::prepareCompact,
              (d, v) -> d.prepareCompact = v),
          field(
              "prepare.index",
              Shape.FLAG,
              PolicyDocument::prepareIndex,
              (d, v) -> d.prepareIndex = v),
          field(
              "merge.minGenerations",
              Shape.COUNT,
              PolicyDocument::mergeMinGenerations,
              (d, v) -> d.mergeMinGenerations = v),
          field(
              "merge.minBytes",
              Shape.SIZE,
              PolicyDocument::mergeMinBytes,
              (d, v) -> d.mergeMinBytes = v),
          field(
              "merge.maxAge",
              Shape.DURATION,
              PolicyDocument::mergeMaxAgeMillis,
              (d, v) -> d.mergeMaxAgeMillis = v),
          field(
              "merge.urgent",
              Shape.COUNT,
              PolicyDocument::mergeUrgent,
              (d, v) -> d.mergeUrgent = v),
          field(
              "merge.maxGenerations",
              Shape.COUNT,
              PolicyDocument::mergeMaxGenerations,
              (d, v) -> d.mergeMaxGenerations = v),
          field(
              "merge.maxBytes",
              Shape.SIZE,
              PolicyDocument::mergeMaxBytes,
              (d, v) -> d.mergeMaxBytes = v),
          field(
              "index.minUncovered",
              Shape.COUNT,
              PolicyDocument::indexMinUncovered,
              (d, v) -> d.indexMinUncovered = v),
          field(
              "observe.after",
              Shape.DURATION,
              PolicyDocument::observeAfterMillis,
              (d, v) -> d.observeAfterMillis = v),
          field(
              "observe.rescanAfter",
              Shape.DURATION,
              PolicyDocument::observeRescanAfterMillis,
              (d, v) -> d.observeRescanAfterMillis = v),
          field(
              "compact.minFragments",
              Shape.COUNT,
              PolicyDocument::compactMinFragments,
              (d, v) -> d.compactMinFragments = v),
          field(
              "compact.targetRows",
              Shape.COUNT,
              PolicyDocument::compactTargetRows,
              (d, v) -> d.compactTargetRows = v),
          field(
              "compact.targetBytes",
              Shape.SIZE,
              PolicyDocument::compactTargetBytes,
              (d, v) -> d.compactTargetBytes = v),
          field(
              "compact.maxSourceFragments",
              Shape.COUNT,
              PolicyDocument::compactMaxSourceFragments,
              (d, v) -> d.compactMaxSourceFragments = v),
          field("indexes", Shape.INDEXES, PolicyDocument::indexes, (d, v) -> d.indexes = v),
          field(
              "turns.maxConsecutive",
              Shape.COUNT_BY_KIND,
              PolicyDocument::maxConsecutive,
              (d, v) -> d.maxConsecutive = v),
          field(
              "turns.publishTimeout",
              Shape.DURATION,
              PolicyDocument::publishTimeoutMillis,
              (d, v) -> d.publishTimeoutMillis = v),
          field(
              "maxWait",
              Shape.DURATION_BY_KIND,
              PolicyDocument::maxWaitMillis,
              (d, v) -> d.maxWaitMillis = v),
          field(
              "minInterval",
              Shape.DURATION_BY_KIND,
              PolicyDocument::minIntervalMillis,
              (d, v) -> d.minIntervalMillis = v),
          field(
              "idleTimeout",
              Shape.DURATION,
              PolicyDocument::idleTimeoutMillis,
              (d, v) -> d.idleTimeoutMillis = v),
          field(
              "backpressure",
              Shape.constant(Backpressure.class),
              PolicyDocument::backpressure,
              (d, v) -> d.backpressure = v),
          field(
              "retire.after",
              Shape.DURATION,
              PolicyDocument::retireAfterMillis,
              (d, v) -> d.retireAfterMillis = v),
          field(
              "retire.keepVersions",
              Shape.COUNT,
              PolicyDocument::retireKeepVersions,
              (d, v) -> d.retireKeepVersions = v),
          field(
              "retire.garbageMax",
              Shape.SIZE,
              PolicyDocument::retireGarbageMaxBytes,
              (d, v) -> d.retireGarbageMaxBytes = v));

  private static <T> PolicyField<T> field(
      String path,
      Shape<T> shape,
      Function<PolicyDocument, @Nullable T> get,
      BiConsumer<PolicyDraft, T> set) {
    return new PolicyField<>(path, shape, get, set);
  }

  /** The field's value as JSON; empty if it is inherited. */
  Optional<JsonNode> of(PolicyDocument document) {
    return Optional.ofNullable(get.apply(document)).map(shape.write());
  }

  /**
   * Sets the field.
   *
   * @throws IllegalArgumentException naming the field, if its value cannot be kept
   */
  void into(PolicyDraft draft, JsonNode value) {
    try {
      set.accept(draft, shape.read().apply(value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
    }
  }
}
