package io.turnkeeper.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PolicyTest {
  private static final Set<String> MAY_BE_ZERO = Set.of("mergeMinBytes");

  static Stream<Field> fields() {
    return Arrays.stream(PolicyDraft.class.getFields());
  }

  @ParameterizedTest
  @MethodSource("fields")
  void aDocumentSetsItsFieldAndInheritsTheOthers(Field field) throws ReflectiveOperationException {
    PolicyDocument document = setting(field, sample(field));
    Policy policy = Policy.of(document);
    for (Field other : PolicyDraft.class.getFields()) {
      boolean same = other.equals(field);
      assertThat(read(policy, other))
          .as(other.getName())
          .isEqualTo(same ? stored(field) : read(Policy.DEFAULT, other));
    }
    assertThat(Policy.of(document, PolicyDocument.EMPTY)).isEqualTo(policy);
    assertThat(Policy.of(PolicyDocument.EMPTY, document)).isEqualTo(policy);
  }

  @ParameterizedTest
  @MethodSource("fields")
  void numbersThatNoRuleCanUseAreRefused(Field field) {
    if (field.getType() != Long.class) {
      return;
    }
    assertRefused(field, Require.MAX_NUMBER + 1);
    assertRefused(field, -1);
    if (!MAY_BE_ZERO.contains(field.getName())) {
      assertRefused(field, 0);
    }
  }

  @Test
  void numbersOfAKindAreRefusedWithItsName() {
    assertThatThrownBy(
            () -> PolicyDocument.of(d -> d.maxWaitMillis = new TreeMap<>(Map.of(Kind.INDEX, 0L))))
        .hasMessageContaining("maxWait.INDEX");
  }

  @Test
  void whatAKindMayDoDependsOnTheMode() {
    assertAllowed(PolicyMode.ACTIVE, EnumSet.allOf(Kind.class));
    assertAllowed(PolicyMode.SHADOW, EnumSet.allOf(Kind.class));
    assertAllowed(PolicyMode.DRAIN, EnumSet.of(Kind.MERGE_WAL, Kind.OBSERVE));
    assertAllowed(PolicyMode.FROZEN, EnumSet.of(Kind.OBSERVE));
    Policy merges = Policy.of(PolicyDocument.of(draft -> draft.kinds = List.of(Kind.MERGE_WAL)));
    assertThat(Arrays.stream(Kind.values()).filter(merges::allows)).containsExactly(Kind.MERGE_WAL);
  }

  @Test
  void defaultsOfAKindHoldUntilTheyAreSet() {
    assertThat(Arrays.stream(Kind.values()).map(Policy.DEFAULT::maxConsecutive))
        .containsExactly(2L, 1L, 1L, 1L, 1L, 1L);
    assertThat(Arrays.stream(Kind.values()).map(Policy.DEFAULT::maxWaitMillis))
        .containsExactly(600_000L, 900_000L, 900_000L, 3_600_000L, 3_600_000L, 3_600_000L);
    assertThat(Arrays.stream(Kind.values()).map(Policy.DEFAULT::minIntervalMillis))
        .containsExactly(0L, 0L, 0L, 0L, 3_600_000L, 0L);
    TreeMap<Kind, Long> seven = new TreeMap<>(Map.of(Kind.MERGE_WAL, 7L));
    Policy set =
        Policy.of(
            PolicyDocument.of(
                draft -> {
                  draft.maxConsecutive = seven;
                  draft.maxWaitMillis = seven;
                  draft.minIntervalMillis = seven;
                }));
    assertThat(set.maxConsecutive(Kind.MERGE_WAL)).isEqualTo(7);
    assertThat(set.maxWaitMillis(Kind.MERGE_WAL)).isEqualTo(7);
    assertThat(set.minIntervalMillis(Kind.MERGE_WAL)).isEqualTo(7);
    assertThat(set.maxConsecutive(Kind.INDEX)).isEqualTo(1);
  }

  private static void assertAllowed(PolicyMode mode, Set<Kind> kinds) {
    Policy policy = Policy.of(PolicyDocument.of(draft -> draft.mode = mode));
    for (Kind kind : Kind.values()) {
      assertThat(policy.allows(kind)).as(mode + " " + kind).isEqualTo(kinds.contains(kind));
    }
  }

  private static void assertRefused(Field field, long value) {
    assertThatThrownBy(() -> setting(field, value)).isInstanceOf(IllegalArgumentException.class);
  }

  private static PolicyDocument setting(Field field, Object value) {
    return PolicyDocument.of(
        draft -> {
          try {
            field.set(draft, value);
          } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static Object read(Policy policy, Field field) throws ReflectiveOperationException {
    Object value = Policy.class.getMethod(field.getName()).invoke(policy);
    return value == null ? "unset" : value;
  }

  /** As the policy keeps it. */
  private static Object stored(Field field) {
    Object sample = sample(field);
    return field.getName().equals("kinds") ? Set.copyOf((List<?>) sample) : sample;
  }

  /** A value that is no field's default. */
  private static Object sample(Field field) {
    return switch (field.getName()) {
      case "mode" -> PolicyMode.FROZEN;
      case "pool" -> new PoolId("night");
      case "kinds" -> List.of(Kind.OBSERVE, Kind.INDEX);
      case "prepareCompact", "prepareIndex" -> true;
      case "indexes" -> List.of(new IndexSpec("by_id", "id", IndexType.BTREE));
      case "maxConsecutive", "maxWaitMillis", "minIntervalMillis" ->
          new TreeMap<>(Map.of(Kind.COMPACT, 4L));
      case "backpressure" -> Backpressure.OFF;
      default -> 12_345L;
    };
  }
}
