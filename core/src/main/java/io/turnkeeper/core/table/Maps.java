package io.turnkeeper.core.table;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Immutable sorted maps: sorted so that a state has one encoding. */
final class Maps {
  private Maps() {}

  static <K extends Comparable<? super K>, V> SortedMap<K, V> copyOf(SortedMap<K, V> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }

  static <K extends Comparable<? super K>, V> SortedMap<K, V> with(
      SortedMap<K, V> map, K key, V value) {
    SortedMap<K, V> copy = new TreeMap<>(map);
    copy.put(key, value);
    return Collections.unmodifiableSortedMap(copy);
  }

  static <K extends Comparable<? super K>, V> SortedMap<K, V> without(SortedMap<K, V> map, K key) {
    SortedMap<K, V> copy = new TreeMap<>(map);
    copy.remove(key);
    return Collections.unmodifiableSortedMap(copy);
  }
}
