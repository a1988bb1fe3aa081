package io.turnkeeper.core.pool;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A balanced search tree that is never changed: an edited tree shares all but one path with the
 * tree it came from, so a state of ten thousand entries is copied at the price of fourteen.
 *
 * <p>Every node knows the least and the greatest measure below it, so that the first value in order
 * with a measure in some range is found without looking at those before it.
 */
final class Tree<K, V> implements Iterable<Map.Entry<K, V>> {
  /** How much deeper one side may be; more makes edits cheaper and searches longer. */
  private static final int SLACK = 2;

  private record Node<K, V>(
      @Nullable Node<K, V> left,
      K key,
      V value,
      @Nullable Node<K, V> right,
      int height,
      int size,
      long least,
      long most) {}

  private final Comparator<? super K> order;
  private final ToLongFunction<? super V> measure;
  private final @Nullable Node<K, V> root;

  private Tree(
      Comparator<? super K> order, ToLongFunction<? super V> measure, @Nullable Node<K, V> root) {
    this.order = order;
    this.measure = measure;
    this.root = root;
  }

  static <K, V> Tree<K, V> empty(Comparator<? super K> order, ToLongFunction<? super V> measure) {
    return new Tree<>(order, measure, null);
  }

  int size() {
    return size(root);
  }

  @Nullable V get(K key) {
    return get(root, key);
  }

  private @Nullable V get(@Nullable Node<K, V> from, K key) {
    Node<K, V> node = from;
    while (node != null) {
      int side = order.compare(key, node.key);
      if (side == 0) {
        return node.value;
      }
      node = side < 0 ? node.left : node.right;
    }
    return null;
  }

  Tree<K, V> with(K key, V value) {
    return new Tree<>(order, measure, put(root, key, value));
  }

  Tree<K, V> without(K key) {
    Node<K, V> next = remove(root, key);
    return size(next) == size() ? this : new Tree<>(order, measure, next);
  }

  K firstKey() {
    return first(present()).key;
  }

  K lastKey() {
    Node<K, V> node = present();
    while (node.right != null) {
      node = node.right;
    }
    return node.key;
  }

  private Node<K, V> present() {
    if (root == null) {
      throw new NoSuchElementException("the tree is empty");
    }
    return root;
  }

  /**
   * The first value behind {@code after} (the very first if null) whose measure is at most {@code
   * most} or above {@code above}; null if there is none.
   */
  @Nullable V firstAfter(@Nullable K after, long most, long above) {
    return firstAfter(root, after, most, above);
  }

  private @Nullable V firstAfter(
      @Nullable Node<K, V> node, @Nullable K after, long most, long above) {
    if (node == null || (node.least > most && node.most <= above)) {
      return null;
    }
    if (after != null && order.compare(node.key, after) <= 0) {
      return firstAfter(node.right, after, most, above);
    }
    V before = firstAfter(node.left, after, most, above);
    if (before != null) {
      return before;
    }
    long own = measure.applyAsLong(node.value);
    // All that lies to the right is behind what was asked for.
    return own <= most || own > above ? node.value : firstAfter(node.right, null, most, above);
  }

  /** As iterating does, at a third of the price. */
  void forEachEntry(BiConsumer<? super K, ? super V> action) {
    forEachEntry(root, action);
  }

  private static <K, V> void forEachEntry(
      @Nullable Node<K, V> node, BiConsumer<? super K, ? super V> action) {
    if (node != null) {
      forEachEntry(node.left, action);
      action.accept(node.key, node.value);
      forEachEntry(node.right, action);
    }
  }

  @Override
  public Iterator<Map.Entry<K, V>> iterator() {
    Deque<Node<K, V>> path = new ArrayDeque<>();
    descend(path, root);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !path.isEmpty();
      }

      @Override
      public Map.Entry<K, V> next() {
        Node<K, V> node = path.pop();
        descend(path, node.right);
        return new SimpleImmutableEntry<>(node.key, node.value);
      }
    };
  }

  /** What stands under a key in one tree and in another. */
  private interface Comparing<K, V> {
    /** Whether to go on with the next key; a value is null where the key is missing. */
    boolean goesOn(K key, @Nullable V before, @Nullable V after);
  }

  /**
   * Tells what was put into this tree, or taken out of it, since it was {@code before}; the price
   * is that of the edits, not of the entries. A value that was replaced by an equal one may be told
   * too.
   *
   * @param to takes a key and its value, null for a key that is gone
   */
  @SuppressWarnings("ReferenceEquality") // To be the same is cheaper to see than to be equal.
  void changesSince(Tree<K, V> before, BiConsumer<? super K, ? super @Nullable V> to) {
    compare(
        before.root,
        root,
        null,
        null,
        (key, old, now) -> {
          if (old != now) {
            to.accept(key, now);
          }
          return true;
        });
  }

  /** Whether both hold equal values under the same keys; the price is that of the edits between. */
  boolean holdsTheSameAs(Tree<K, V> other) {
    return size() == other.size()
        && compare(other.root, root, null, null, (key, old, now) -> Objects.equals(old, now));
  }

  /**
   * Goes through the keys between two others, themselves left out; null for no bound. Shared nodes
   * are passed over. False if it was told to stop.
   */
  @SuppressWarnings("ReferenceEquality") // To be the same is cheaper to see than to be equal.
  private boolean compare(
      @Nullable Node<K, V> before,
      @Nullable Node<K, V> after,
      @Nullable K low,
      @Nullable K high,
      Comparing<K, V> with) {
    Node<K, V> one = within(before, low, high);
    Node<K, V> other = within(after, low, high);
    if (one == other) {
      return true;
    }
    K middle = Objects.requireNonNull(other == null ? one : other).key;
    return compare(one, other, low, middle, with)
        && with.goesOn(middle, get(one, middle), get(other, middle))
        && compare(one, other, middle, high, with);
  }

  /** The topmost node between two keys; all nodes between them are it and below it. */
  private @Nullable Node<K, V> within(
      @Nullable Node<K, V> from, @Nullable K low, @Nullable K high) {
    Node<K, V> node = from;
    while (node != null) {
      if (low != null && order.compare(node.key, low) <= 0) {
        node = node.right;
      } else if (high != null && order.compare(node.key, high) >= 0) {
        node = node.left;
      } else {
        return node;
      }
    }
    return null;
  }

  private static <K, V> void descend(Deque<Node<K, V>> path, @Nullable Node<K, V> from) {
    for (Node<K, V> node = from; node != null; node = node.left) {
      path.push(node);
    }
  }

  private Node<K, V> put(@Nullable Node<K, V> node, K key, V value) {
    if (node == null) {
      return node(null, key, value, null);
    }
    int side = order.compare(key, node.key);
    if (side == 0) {
      return node(node.left, key, value, node.right);
    }
    return side < 0
        ? balanced(put(node.left, key, value), node.key, node.value, node.right)
        : balanced(node.left, node.key, node.value, put(node.right, key, value));
  }

  /** The node itself if there is no such key below it. */
  private @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
    if (node == null) {
      return null;
    }
    int side = order.compare(key, node.key);
    if (side < 0) {
      Node<K, V> left = remove(node.left, key);
      return size(left) == size(node.left)
          ? node
          : balanced(left, node.key, node.value, node.right);
    }
    if (side > 0) {
      Node<K, V> right = remove(node.right, key);
      return size(right) == size(node.right)
          ? node
          : balanced(node.left, node.key, node.value, right);
    }
    if (node.left == null || node.right == null) {
      return node.left == null ? node.right : node.left;
    }
    Node<K, V> next = first(node.right);
    return balanced(node.left, next.key, next.value, withoutFirst(node.right));
  }

  private static <K, V> Node<K, V> first(Node<K, V> from) {
    Node<K, V> node = from;
    while (node.left != null) {
      node = node.left;
    }
    return node;
  }

  private @Nullable Node<K, V> withoutFirst(Node<K, V> node) {
    return node.left == null
        ? node.right
        : balanced(withoutFirst(node.left), node.key, node.value, node.right);
  }

  /** Rotates when one side has become too deep by one edit. */
  private Node<K, V> balanced(
      @Nullable Node<K, V> left, K key, V value, @Nullable Node<K, V> right) {
    if (left != null && height(left) > height(right) + SLACK) {
      if (height(left.left) >= height(left.right)) {
        return node(left.left, left.key, left.value, node(left.right, key, value, right));
      }
      Node<K, V> middle = Objects.requireNonNull(left.right);
      return node(
          node(left.left, left.key, left.value, middle.left),
          middle.key,
          middle.value,
          node(middle.right, key, value, right));
    }
    if (right != null && height(right) > height(left) + SLACK) {
      if (height(right.right) >= height(right.left)) {
        return node(node(left, key, value, right.left), right.key, right.value, right.right);
      }
      Node<K, V> middle = Objects.requireNonNull(right.left);
      return node(
          node(left, key, value, middle.left),
          middle.key,
          middle.value,
          node(middle.right, right.key, right.value, right.right));
    }
    return node(left, key, value, right);
  }

  private Node<K, V> node(@Nullable Node<K, V> left, K key, V value, @Nullable Node<K, V> right) {
    long least = measure.applyAsLong(value);
    long most = least;
    if (left != null) {
      least = Math.min(least, left.least);
      most = Math.max(most, left.most);
    }
    if (right != null) {
      least = Math.min(least, right.least);
      most = Math.max(most, right.most);
    }
    int height = 1 + Math.max(height(left), height(right));
    int size = 1 + size(left) + size(right);
    return new Node<>(left, key, value, right, height, size, least, most);
  }

  private static int size(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.size;
  }

  private static int height(@Nullable Node<?, ?> node) {
    return node == null ? 0 : node.height;
  }
}
