package io.turnkeeper.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A frozen map holds what a tree map holds after the same edits, and never changes. */
class FrozenMapTest {
  @Property
  void holdsWhatATreeMapHolds(@ForAll List<@IntRange(min = -9, max = 9) Integer> edits) {
    TreeMap<Integer, String> expected = new TreeMap<>();
    FrozenMap<Integer, String> map = FrozenMap.of();
    for (int edit : edits) {
      int key = Math.abs(edit);
      TreeMap<Integer, String> before = new TreeMap<>(expected);
      FrozenMap<Integer, String> old = map;
      if (edit < 0) {
        expected.remove(key);
        map = map.without(key);
      } else {
        expected.put(key, "v" + expected.size());
        map = map.with(key, "v" + before.size());
      }
      assertThat(old).isEqualTo(before);
      assertThat(List.copyOf(map.entrySet())).isEqualTo(List.copyOf(expected.entrySet()));
      assertThat(map.entrySet()).hasSameSizeAs(expected.entrySet());
      assertThat(map.get(key)).isEqualTo(expected.get(key));
      assertThat(map).isEqualTo(FrozenMap.copyOf(expected)).hasSameHashCodeAs(expected);
    }
  }

  @Test
  void isSortedByNatureWhereverItComesFrom() {
    TreeMap<Integer, String> backwards = new TreeMap<>((one, other) -> other - one);
    backwards.putAll(Map.of(1, "a", 2, "b", 3, "c"));
    FrozenMap<Integer, String> map = FrozenMap.copyOf(backwards);
    assertThat(map.firstKey()).isEqualTo(1);
    assertThat(map.lastKey()).isEqualTo(3);
    assertThat(map.headMap(2)).containsOnlyKeys(1);
    assertThat(map.tailMap(2)).containsOnlyKeys(2, 3);
    assertThat(map.subMap(2, 3)).containsOnlyKeys(2);
  }

  @Test
  void sharesWhatDoesNotChange() {
    FrozenMap<String, String> map = FrozenMap.<String, String>of().with("a", "b");
    assertThat(FrozenMap.copyOf(map)).isSameAs(map);
    assertThat(map.with("a", String.valueOf(map.get("a")))).isSameAs(map);
    assertThat(map.without("c")).isSameAs(map);
  }

  @Test
  void refusesEveryOtherChange() {
    FrozenMap<String, String> map = FrozenMap.<String, String>of().with("a", "b");
    assertThatThrownBy(() -> map.put("c", "d")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> FrozenMap.<String, String>of().firstKey())
        .isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> FrozenMap.<String, String>of().lastKey())
        .isInstanceOf(NoSuchElementException.class);
  }
}
