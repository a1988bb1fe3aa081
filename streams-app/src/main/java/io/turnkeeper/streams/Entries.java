package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a store, put together to the states they are of.
 *
 * @param <S> the state of one subject
 */
final class Entries<S> {
  private final Layout<S> layout;
  private final RecordCodec codec;
  private final SortedMap<String, Subject<S>> subjects = new TreeMap<>();

  /** What was found of one subject. */
  private static final class Subject<S> {
    private @Nullable S main;
    private final Map<String, Object> parts = new TreeMap<>();
  }

  Entries(Layout<S> layout, RecordCodec codec) {
    this.layout = layout;
    this.codec = codec;
  }

  /** The first key of all that is kept of a subject. */
  static byte[] first(String subject) {
    return subject.getBytes(UTF_8);
  }

  /** A key behind all that is kept of a subject, and before all that is not. */
  static byte[] end(String subject) {
    return (subject + (char) (Layout.DIVIDER + 1)).getBytes(UTF_8);
  }

  /** The subject that an entry is of. */
  static String subject(byte[] key) {
    String text = new String(key, UTF_8);
    int divider = text.indexOf(Layout.DIVIDER);
    return divider < 0 ? text : text.substring(0, divider);
  }

  /** Whether an entry is of the partition's own state. */
  static boolean isOfPartition(byte[] key) {
    return subject(key).equals(Nodes.PARTITION_KEY);
  }

  /** One more entry of the store; the partition's own is passed over. */
  void add(byte[] key, byte[] value) {
    String text = new String(key, UTF_8);
    String of = subject(key);
    if (isOfPartition(key)) {
      return;
    }
    Subject<S> subject = subjects.computeIfAbsent(of, ignored -> new Subject<>());
    if (of.length() == text.length()) {
      subject.main = decoded(codec, value, layout.type());
    } else {
      subject.parts.put(text.substring(of.length()), decoded(codec, value, Record.class));
    }
  }

  /** The states by their subjects. */
  SortedMap<String, S> joined() {
    SortedMap<String, S> joined = new TreeMap<>();
    subjects.forEach(
        (key, subject) -> joined.put(key, layout.joined(main(key, subject), subject.parts)));
    return joined;
  }

  /** Whether what was added lies as the layout would write it. */
  boolean areCurrent() {
    return subjects.entrySet().stream()
        .allMatch(entry -> layout.isCurrent(main(entry.getKey(), entry.getValue())));
  }

  private static <S> S main(String key, Subject<S> subject) {
    S main = subject.main;
    if (main == null) {
      throw new IllegalStateException("expected '" + key + "' beside its parts in the store");
    }
    return main;
  }

  static <T> T decoded(RecordCodec codec, byte[] saved, Class<T> type) {
    try {
      return codec.decode(saved, type);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected a " + type.getSimpleName() + " in a store", e);
    }
  }
}
