package io.turnkeeper.core.pool;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map that is never changed and keeps an index of its values beside them. The index is
 * derived: it is built when a map comes from elsewhere, follows every edit, and counts for nothing
 * in equality.
 */
@SuppressWarnings(
    "JdkObsolete") // What a state's maps are declared as decides what they are written as.
final class IndexedMap<K extends Comparable<K>, V, X extends IndexedMap.Index<V, X>>
    extends AbstractMap<K, V> implements SortedMap<K, V> {
  /** What is kept of the values, without their keys. */
  interface Index<V, X extends Index<V, X>> {
    X plus(V value);

    X minus(V value);
  }

  /** The index of values that are only found by their keys. */
  static final class None<V> implements Index<V, None<V>> {
    @Override
    public None<V> plus(V value) {
      return this;
    }

    @Override
    public None<V> minus(V value) {
      return this;
    }
  }

  private final Tree<K, V> tree;
  private final X index;

  private IndexedMap(Tree<K, V> tree, X index) {
    this.tree = tree;
    this.index = index;
  }

  /** The same entries, indexed; the map itself if it is. */
  static <K extends Comparable<K>, V, X extends Index<V, X>> IndexedMap<K, V, X> of(
      SortedMap<K, V> map, X nothing) {
    if (map instanceof IndexedMap<K, V, ?> known && known.index.getClass() == nothing.getClass()) {
      @SuppressWarnings("unchecked") // Its index was just found to be of that class.
      IndexedMap<K, V, X> same = (IndexedMap<K, V, X>) known;
      return same;
    }
    Tree<K, V> none = Tree.empty(Comparator.<K>naturalOrder(), value -> 0);
    IndexedMap<K, V, X> indexed = new IndexedMap<>(none, nothing);
    for (Map.Entry<K, V> entry : map.entrySet()) {
      indexed = indexed.with(entry.getKey(), entry.getValue());
    }
    return indexed;
  }

  X index() {
    return index;
  }

  IndexedMap<K, V, X> with(K key, V value) {
    V before = tree.get(key);
    X rest = before == null ? index : index.minus(before);
    return new IndexedMap<>(tree.with(key, value), rest.plus(value));
  }

  IndexedMap<K, V, X> without(K key) {
    V before = tree.get(key);
    return before == null ? this : new IndexedMap<>(tree.without(key), index.minus(before));
  }

  /** What was put in or taken out, which is told with a null, since it was {@code before}. */
  void changesSince(IndexedMap<K, V, X> before, BiConsumer<? super K, ? super @Nullable V> to) {
    tree.changesSince(before.tree, to);
  }

  @Override
  @SuppressWarnings("unchecked") // Keys of another class end as in every sorted map.
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexedMap<?, ?, ?> indexed
        ? tree.holdsTheSameAs((Tree<K, V>) indexed.tree)
        : super.equals(other);
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  @Override
  @SuppressWarnings("unchecked") // As in every sorted map: a key of another class is an error.
  public @Nullable V get(@Nullable Object key) {
    return key == null ? null : tree.get((K) key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public void forEach(BiConsumer<? super K, ? super V> action) {
    tree.forEachEntry(action);
  }

  @Override
  public Set<Map.Entry<K, V>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<K, V>> iterator() {
        return tree.iterator();
      }

      @Override
      public int size() {
        return tree.size();
      }
    };
  }

  @Override
  public @Nullable Comparator<? super K> comparator() {
    return null;
  }

  @Override
  public K firstKey() {
    return tree.firstKey();
  }

  @Override
  public K lastKey() {
    return tree.lastKey();
  }

  @Override
  public SortedMap<K, V> subMap(K from, K to) {
    return new TreeMap<>(this).subMap(from, to);
  }

  @Override
  public SortedMap<K, V> headMap(K to) {
    return new TreeMap<>(this).headMap(to);
  }

  @Override
  public SortedMap<K, V> tailMap(K from) {
    return new TreeMap<>(this).tailMap(from);
  }
}
