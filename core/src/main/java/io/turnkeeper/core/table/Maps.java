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
}
