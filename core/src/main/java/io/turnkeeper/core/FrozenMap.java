package io.turnkeeper.core;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A small sorted map that is never changed: two arrays, so that a state is compact and an edit
 * shares every map that it does not touch. Sorted so that a state has one encoding.
 */
@SuppressWarnings(
    "JdkObsolete") // What a state's maps are declared as decides what they are written as.
public final class FrozenMap<K extends Comparable<? super K>, V> extends AbstractMap<K, V>
    implements SortedMap<K, V> {
  private static final FrozenMap<?, ?> EMPTY = new FrozenMap<>(new Object[0], new Object[0]);

  private final Object[] keys;
  private final Object[] values;

  private FrozenMap(Object[] keys, Object[] values) {
    this.keys = keys;
    this.values = values;
  }

  /** The map without entries. */
  @SuppressWarnings("unchecked") // It has no entry of any type.
  public static <K extends Comparable<? super K>, V> FrozenMap<K, V> of() {
    return (FrozenMap<K, V>) EMPTY;
  }

  /** The entries of {@code map} in their natural order; the map itself if it is frozen. */
  public static <K extends Comparable<? super K>, V> FrozenMap<K, V> copyOf(SortedMap<K, V> map) {
    if (map instanceof FrozenMap<K, V> frozen) {
      return frozen;
    }
    if (map.isEmpty()) {
      return of();
    }
    if (map.comparator() != null && map.comparator() != Comparator.naturalOrder()) {
      return copyOf(new TreeMap<>((Map<K, V>) map));
    }
    Object[] keys = new Object[map.size()];
    Object[] values = new Object[keys.length];
    int place = 0;
    for (Map.Entry<K, V> entry : map.entrySet()) {
      keys[place] = entry.getKey();
      values[place++] = entry.getValue();
    }
    return new FrozenMap<>(keys, values);
  }

  /** The same with {@code key} standing for {@code value}. */
  public FrozenMap<K, V> with(K key, V value) {
    int place = place(key);
    if (place >= 0) {
      if (values[place] == value) {
        return this;
      }
      Object[] next = values.clone();
      next[place] = value;
      return new FrozenMap<>(keys, next);
    }
    return new FrozenMap<>(inserted(keys, -place - 1, key), inserted(values, -place - 1, value));
  }

  /** The same without {@code key}. */
  public FrozenMap<K, V> without(K key) {
    int place = place(key);
    return place < 0 ? this : new FrozenMap<>(removed(keys, place), removed(values, place));
  }

  private static Object[] inserted(Object[] from, int place, Object one) {
    Object[] next = Arrays.copyOf(from, from.length + 1);
    System.arraycopy(from, place, next, place + 1, from.length - place);
    next[place] = one;
    return next;
  }

  private static Object[] removed(Object[] from, int place) {
    Object[] next = Arrays.copyOf(from, from.length - 1);
    System.arraycopy(from, place + 1, next, place, next.length - place);
    return next;
  }

  /** Where the key is; if it is not there, {@code -(where it would be) - 1}. */
  private int place(K key) {
    int low = 0;
    int high = keys.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = keyAt(middle).compareTo(key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  @SuppressWarnings("unchecked") // Only keys of the map's own type are put there.
  private K keyAt(int place) {
    return (K) keys[place];
  }

  @SuppressWarnings("unchecked") // Likewise values.
  private V valueAt(int place) {
    return (V) values[place];
  }

  @Override
  public int size() {
    return keys.length;
  }

  @Override
  @SuppressWarnings("unchecked") // As in every sorted map: a key of another class is an error.
  public @Nullable V get(@Nullable Object key) {
    int place = key == null || keys.length == 0 ? -1 : place((K) key);
    return place < 0 ? null : valueAt(place);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    for (int place = 0; place < keys.length; place++) {
      action.accept(keyAt(place), valueAt(place));
    }
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return new Entries();
      }

      @Override
      public int size() {
        return keys.length;
      }
    };
  }

  private final class Entries implements Iterator<Map.Entry<K, V>> {
    private int place;

    @Override
    public boolean hasNext() {
      return place < keys.length;
    }

    @Override
    public Map.Entry<K, V> next() {
      if (place == keys.length) {
        throw new NoSuchElementException();
      }
      Map.Entry<K, V> entry = Map.entry(keyAt(place), valueAt(place));
      place++;
      return entry;
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FrozenMap<?, ?> frozen
        ? Arrays.equals(keys, frozen.keys) && Arrays.equals(values, frozen.values)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return null;
  }

  @Override
  public K firstKey() {
    return keyAt(place(keys.length > 0, 0));
  }

  @Override
  public K lastKey() {
    return keyAt(place(keys.length > 0, keys.length - 1));
  }

  private static int place(boolean there, int place) {
    if (!there) {
      throw new NoSuchElementException();
    }
    return place;
  }

  @Override
  public SortedMap<K, V> subMap(K from, K to) {
    return new TreeMap<>((SortedMap<K, V>) this).subMap(from, to);
  }

  @Override
  public SortedMap<K, V> headMap(K to) {
    return new TreeMap<>((SortedMap<K, V>) this).headMap(to);
  }

  @Override
  public SortedMap<K, V> tailMap(K from) {
    return new TreeMap<>((SortedMap<K, V>) this).tailMap(from);
  }
}
