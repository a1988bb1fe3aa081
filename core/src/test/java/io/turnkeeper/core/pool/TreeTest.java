package io.turnkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A tree of numbers whose measure is their value modulo 100. */
class TreeTest {
  private static final int MANY = 2_000;
  private long comparisons;

  @Test
  void anEditLeavesTheTreeItCameFromAlone() {
    Tree<Integer, Integer> one = empty().with(1, 10);
    Tree<Integer, Integer> two = one.with(2, 20).with(1, 11);
    assertThat(one.get(1)).isEqualTo(10);
    assertThat(one.get(2)).isNull();
    assertThat(two.get(1)).isEqualTo(11);
    assertThat(List.of(one.size(), two.size(), two.without(1).size())).containsExactly(1, 2, 1);
    assertThat(two.without(7)).isSameAs(two);
  }

  @Test
  void anEmptyTreeHasNoFirstAndNoLast() {
    assertThatThrownBy(() -> empty().firstKey()).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(() -> empty().lastKey()).isInstanceOf(NoSuchElementException.class);
  }

  @Test
  void whateverTheOrderOfEditsItIsASortedMap() {
    for (List<Integer> order : orders()) {
      Tree<Integer, Integer> tree = empty();
      TreeMap<Integer, Integer> expected = new TreeMap<>();
      for (int key : order) {
        tree = tree.with(key, key);
        expected.put(key, key);
      }
      for (int key : order.subList(0, MANY / 2)) {
        tree = tree.without(key);
        expected.remove(key);
      }
      List<Integer> keys = new ArrayList<>();
      for (Map.Entry<Integer, Integer> entry : tree) {
        keys.add(entry.getKey());
      }
      assertThat(keys).isEqualTo(List.copyOf(expected.keySet()));
      assertThat(tree.firstKey()).isEqualTo(expected.firstKey());
      assertThat(tree.lastKey()).isEqualTo(expected.lastKey());
    }
  }

  @Test
  void whateverTheOrderOfEditsNoSearchIsLong() {
    for (List<Integer> order : orders()) {
      Tree<Integer, Integer> tree = empty();
      for (int key : order) {
        tree = tree.with(key, key);
      }
      assertThat(longestSearch(tree, order)).isLessThanOrEqualTo(15);
      for (int key : order.subList(0, MANY * 3 / 4)) {
        tree = tree.without(key);
      }
      assertThat(longestSearch(tree, order)).isLessThanOrEqualTo(13);
    }
  }

  @Test
  void whateverTheEditsTheChangesLeadFromOneTreeToTheOther() {
    Random random = new Random(11);
    for (int round = 0; round < 200; round++) {
      Tree<Integer, Integer> before = edited(empty(), random, random.nextInt(300));
      Tree<Integer, Integer> after = edited(before, random, random.nextInt(40));
      Map<Integer, Integer> changed = new TreeMap<>(content(before));
      after.changesSince(
          before,
          (key, value) -> {
            if (value == null) {
              assertThat(changed.remove(key)).isNotNull();
            } else {
              changed.put(key, value);
            }
          });
      assertThat(changed).isEqualTo(content(after));
    }
  }

  @Test
  void changesAreFoundAtThePriceOfTheEdits() {
    Tree<Integer, Integer> before = full();
    Tree<Integer, Integer> after = before.with(MANY / 3, -1).without(MANY / 2);
    List<Integer> told = new ArrayList<>();
    comparisons = 0;
    after.changesSince(before, (key, value) -> told.add(key));
    assertThat(told).containsExactly(MANY / 3, MANY / 2);
    assertThat(comparisons).isLessThan(MANY / 2);
    before.changesSince(before, (key, value) -> told.clear());
    assertThat(told).hasSize(2);
  }

  @Test
  void treesAreComparedAtThePriceOfTheEdits() {
    Tree<Integer, Integer> before = full();
    Tree<Integer, Integer> edited = before.with(MANY / 3, -1).without(MANY / 2);
    Tree<Integer, Integer> back = edited.with(MANY / 2, MANY / 2).with(MANY / 3, MANY / 3);
    comparisons = 0;
    assertThat(back.holdsTheSameAs(before)).isTrue();
    assertThat(back.holdsTheSameAs(edited)).isFalse();
    assertThat(comparisons).isLessThan(MANY / 2);
    assertThat(before.with(0, 1).holdsTheSameAs(before)).isFalse();
    assertThat(before.with(MANY - 1, 1).holdsTheSameAs(before)).isFalse();
    assertThat(before.without(0).with(MANY, 0).holdsTheSameAs(before)).isFalse();
  }

  @Test
  void whateverTheEditsTreesAreTheSameIfTheirContentIs() {
    Random random = new Random(12);
    for (int round = 0; round < 500; round++) {
      Tree<Integer, Integer> one = edited(empty(), random, random.nextInt(8));
      Tree<Integer, Integer> other = edited(one, random, random.nextInt(4));
      assertThat(other.holdsTheSameAs(one)).isEqualTo(content(other).equals(content(one)));
      Tree<Integer, Integer> again = empty();
      for (Map.Entry<Integer, Integer> entry : content(one).entrySet()) {
        again = again.with(entry.getKey(), entry.getValue());
      }
      assertThat(again.holdsTheSameAs(one)).isTrue();
    }
  }

  private static Tree<Integer, Integer> edited(
      Tree<Integer, Integer> from, Random random, int edits) {
    Tree<Integer, Integer> tree = from;
    for (int edit = 0; edit < edits; edit++) {
      int key = random.nextInt(300);
      tree = random.nextInt(3) == 0 ? tree.without(key) : tree.with(key, random.nextInt(1_000));
    }
    return tree;
  }

  private static Map<Integer, Integer> content(Tree<Integer, Integer> tree) {
    Map<Integer, Integer> content = new TreeMap<>();
    tree.forEachEntry(content::put);
    return content;
  }

  @Test
  void theFirstOfAMeasureIsFoundBehindAnyKey() {
    Tree<Integer, Integer> tree = full();
    for (int after = -1; after < MANY; after += 13) {
      for (int most = -1; most < 100; most += 25) {
        for (int above = most; above <= 100; above += 25) {
          @Nullable Integer behind = after < 0 ? null : after;
          assertThat(tree.firstAfter(behind, most, above)).isEqualTo(slowly(after, most, above));
        }
      }
    }
  }

  @Test
  void immuneTo40WhatCannotBePlacedIsNotSearchedThrough() {
    Tree<Integer, Integer> tree = full();
    comparisons = 0;
    assertThat(tree.firstAfter(0, -1, 99)).isNull();
    assertThat(comparisons).isZero();
    tree.firstAfter(MANY / 2, 0, 99);
    assertThat(comparisons).isLessThan(30);
  }

  private static @Nullable Integer slowly(int after, int most, int above) {
    for (int key = after + 1; key < MANY; key++) {
      if (key % 100 <= most || key % 100 > above) {
        return key;
      }
    }
    return null;
  }

  private long longestSearch(Tree<Integer, Integer> tree, List<Integer> keys) {
    long longest = 0;
    for (int key : keys) {
      comparisons = 0;
      assertThat(tree.get(key)).isIn(key, null);
      longest = Math.max(longest, comparisons);
    }
    return longest;
  }

  private static List<List<Integer>> orders() {
    List<Integer> rising = new ArrayList<>();
    for (int key = 0; key < MANY; key++) {
      rising.add(key);
    }
    List<Integer> falling = new ArrayList<>(rising);
    Collections.reverse(falling);
    List<Integer> fromBothEnds = new ArrayList<>();
    for (int key = 0; key < MANY / 2; key++) {
      fromBothEnds.add(key);
      fromBothEnds.add(MANY - 1 - key);
    }
    return List.of(rising, falling, fromBothEnds, shuffled());
  }

  private static List<Integer> shuffled() {
    List<Integer> keys = new ArrayList<>();
    for (int key = 0; key < MANY; key++) {
      keys.add(key);
    }
    Collections.shuffle(keys, new Random(1));
    return keys;
  }

  /** All keys, put in without any order. */
  private Tree<Integer, Integer> full() {
    Tree<Integer, Integer> tree = empty();
    for (int key : shuffled()) {
      tree = tree.with(key, key);
    }
    return tree;
  }

  private Tree<Integer, Integer> empty() {
    Comparator<Integer> counting =
        (one, other) -> {
          comparisons++;
          return Integer.compare(one, other);
        };
    return Tree.empty(counting, value -> value % 100);
  }
}
