package io.turnkeeper.streams;

import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How a state lies in a store: under the key of its subject, and, if parts of it change by
 * themselves, each of those under that key and a suffix. Suffixes begin with {@link #DIVIDER},
 * which no table or pool has in its id.
 *
 * @param <S> the state of one subject
 */
interface Layout<S> {
  char DIVIDER = '\0';

  /** The class of the state; also of what lies under the key itself. */
  Class<S> type();

  /** Whether there may be parts. */
  boolean isDivided();

  /**
   * Tells what must be written for a state to be kept.
   *
   * @param before what is kept now, null for nothing
   * @param to takes a suffix, empty for the key itself, and a record of the wire; null if it is to
   *     be removed
   */
  void changes(@Nullable S before, S after, BiConsumer<String, @Nullable Object> to);

  /** The state that is kept as {@code main} and, by their suffixes, {@code parts}. */
  S joined(S main, Map<String, Object> parts);

  /** Whether nothing lies under the key itself that belongs into a part. */
  boolean isCurrent(S main);

  /** All of it under the key. */
  record Whole<S>(Class<S> type) implements Layout<S> {
    @Override
    public boolean isDivided() {
      return false;
    }

    @Override
    public void changes(@Nullable S before, S after, BiConsumer<String, @Nullable Object> to) {
      to.accept("", after);
    }

    @Override
    public S joined(S main, Map<String, Object> parts) {
      if (!parts.isEmpty()) {
        throw new IllegalStateException("expected no parts of " + main + ", but " + parts);
      }
      return main;
    }

    @Override
    public boolean isCurrent(S main) {
      return true;
    }
  }
}
