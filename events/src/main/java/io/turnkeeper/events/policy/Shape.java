package io.turnkeeper.events.policy;

import static java.util.Map.entry;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How a value stands in JSON.
 *
 * @param read takes what the schema has let pass
 */
record Shape<T>(Function<JsonNode, T> read, Function<T, JsonNode> write) {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Milliseconds by unit, the largest first. */
  private static final List<Entry<String, Long>> DURATION_UNITS =
      List.of(
          entry("d", 86_400_000L),
          entry("h", 3_600_000L),
          entry("m", 60_000L),
          entry("s", 1_000L),
          entry("ms", 1L));

  private static final List<Entry<String, Long>> SIZE_UNITS =
      List.of(
          entry("TiB", 1L << 40),
          entry("GiB", 1L << 30),
          entry("MiB", 1L << 20),
          entry("KiB", 1L << 10),
          entry("B", 1L));

  static final Shape<Boolean> FLAG = new Shape<>(JsonNode::booleanValue, JSON::booleanNode);
  static final Shape<Long> COUNT = new Shape<>(JsonNode::longValue, JSON::numberNode);

  /** As {@code "90s"}, in milliseconds. */
  static final Shape<Long> DURATION = quantity(DURATION_UNITS);

  /** As {@code "64MiB"}, in bytes. */
  static final Shape<Long> SIZE = quantity(SIZE_UNITS);

  static final Shape<List<Kind>> KINDS = list(constant(Kind.class));
  static final Shape<SortedMap<Kind, Long>> COUNT_BY_KIND = byKind(COUNT);
  static final Shape<SortedMap<Kind, Long>> DURATION_BY_KIND = byKind(DURATION);

  static final Shape<List<IndexSpec>> INDEXES =
      list(
          new Shape<>(
              node ->
                  new IndexSpec(
                      node.get("name").textValue(),
                      node.get("column").textValue(),
                      IndexType.valueOf(node.get("type").textValue())),
              index ->
                  JSON.objectNode()
                      .put("name", index.name())
                      .put("column", index.column())
                      .put("type", index.type().name())));

  /** A text that stands for a value of its own. */
  static <T> Shape<T> text(Function<String, T> read, Function<T, String> write) {
    return new Shape<>(node -> read.apply(node.textValue()), v -> JSON.textNode(write.apply(v)));
  }

  static <E extends Enum<E>> Shape<E> constant(Class<E> type) {
    return text(name -> Enum.valueOf(type, name), Enum::name);
  }

  private static <T> Shape<List<T>> list(Shape<T> element) {
    return new Shape<>(
        node -> {
          List<T> values = new ArrayList<>();
          node.forEach(each -> values.add(element.read().apply(each)));
          return List.copyOf(values);
        },
        values -> {
          ArrayNode array = JSON.arrayNode();
          values.forEach(value -> array.add(element.write().apply(value)));
          return array;
        });
  }

  private static <T> Shape<SortedMap<Kind, T>> byKind(Shape<T> value) {
    return new Shape<>(
        node -> {
          SortedMap<Kind, T> values = new TreeMap<>();
          for (Map.Entry<String, JsonNode> each : node.properties()) {
            values.put(Kind.valueOf(each.getKey()), value.read().apply(each.getValue()));
          }
          return values;
        },
        values -> {
          ObjectNode object = JSON.objectNode();
          values.forEach((kind, each) -> object.set(kind.name(), value.write().apply(each)));
          return object;
        });
  }

  private static Shape<Long> quantity(List<Entry<String, Long>> units) {
    return text(text -> parsed(text, units), value -> formatted(value, units));
  }

  private static long parsed(String text, List<Entry<String, Long>> units) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    String unit = text.substring(digits);
    for (Entry<String, Long> each : units) {
      if (each.getKey().equals(unit)) {
        // The schema allows so many digits of each unit that no number overflows.
        return Math.multiplyExact(Long.parseLong(text.substring(0, digits)), each.getValue());
      }
    }
    throw new IllegalArgumentException(
        "expected a number and one of "
            + units.stream().map(Entry::getKey).collect(joining(", "))
            + ", but it is '"
            + text
            + "'");
  }

  /** In the largest unit that leaves nothing over. */
  private static String formatted(long value, List<Entry<String, Long>> units) {
    for (Entry<String, Long> unit : units) {
      if (value != 0 && value % unit.getValue() == 0) {
        return value / unit.getValue() + unit.getKey();
      }
    }
    return value + units.get(units.size() - 1).getKey();
  }
}
