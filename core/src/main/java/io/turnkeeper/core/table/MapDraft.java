package io.turnkeeper.core.table;

import io.turnkeeper.core.FrozenMap;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** A map of a state being changed; nothing is copied until something changes. */
final class MapDraft<K extends Comparable<? super K>, V> extends AbstractMap<K, V> {
  private FrozenMap<K, V> now;

  MapDraft(FrozenMap<K, V> from) {
    now = from;
  }

  FrozenMap<K, V> done() {
    return now;
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    return now.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return now.containsKey(key);
  }

  @Override
  public @Nullable V put(K key, V value) {
    V before = now.get(key);
    now = now.with(key, value);
    return before;
  }

  @Override
  @SuppressWarnings("unchecked") // As in every sorted map: a key of another class is an error.
  public @Nullable V remove(@Nullable Object key) {
    V before = now.get(key);
    if (key != null && before != null) {
      now = now.without((K) key);
    }
    return before;
  }

  void removeIf(BiPredicate<? super K, ? super V> goes) {
    for (Map.Entry<K, V> entry : now.entrySet()) {
      if (goes.test(entry.getKey(), entry.getValue())) {
        now = now.without(entry.getKey());
      }
    }
  }

  @Override
  public void replaceAll(BiFunction<? super K, ? super V, ? extends V> change) {
    for (Map.Entry<K, V> entry : now.entrySet()) {
      now = now.with(entry.getKey(), change.apply(entry.getKey(), entry.getValue()));
    }
  }

  /** The entries as they are now. */
  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return now.entrySet();
  }
}
