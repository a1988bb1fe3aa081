package io.turnkeeper.worker.work;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Rows of which most hold a value that is easily lost: none, not a number, a negative zero, the
 * ends of the range, an empty or a very long text, the same once more. Each value stands in several
 * columns, which differ in the indexes on them.
 */
final class OddRows {
  static final List<String> VALUES = List.of("d", "s", "n");
  static final Schema SCHEMA = schema(VALUES);

  private static final double NEGATIVE_NAN = Double.longBitsToDouble(0xfff8000000000000L);
  private static final int LONG_TEXT = 1 << 20;
  private static final double[] DOUBLES = {
    Double.NaN,
    NEGATIVE_NAN,
    0.0,
    -0.0,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MAX_VALUE
  };
  private static final List<String> TEXTS =
      List.of("", " ", "it's", "%", "_", "a\\b", "\u00e9", "e\u0301", "k1", "NULL", "\n");

  private OddRows() {}

  /** What the columns of a value end in: with a B-tree, a zone map, and for numbers both. */
  static List<String> indexed(String value) {
    return value.equals("d") ? List.of("b", "z", "x") : List.of("b", "z");
  }

  /** The key and some of the {@link #VALUES}, each once for each way to index it. */
  static Schema schema(List<String> values) {
    List<Field> fields = new ArrayList<>();
    fields.add(Field.nullable("id", new ArrowType.Int(64, true)));
    for (String value : values) {
      indexed(value).forEach(index -> fields.add(Field.nullable(value + "_" + index, type(value))));
    }
    return new Schema(fields);
  }

  private static ArrowType type(String value) {
    return switch (value) {
      case "d" -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case "s" -> new ArrowType.Utf8();
      default -> new ArrowType.Int(64, true);
    };
  }

  /** Keys from {@code first} on; {@code seed} says which value each has. */
  static Consumer<VectorSchemaRoot> of(int first, int rows, ToIntFunction<Integer> seed) {
    return root -> {
      root.allocateNew();
      IntStream.range(0, rows).forEach(i -> put(root, i, first + i, seed.applyAsInt(first + i)));
      root.setRowCount(rows);
    };
  }

  private static void put(VectorSchemaRoot root, int row, int key, int seed) {
    ((BigIntVector) root.getVector("id")).setSafe(row, key);
    for (String index : indexed("d")) {
      Double number = number(seed);
      if (number != null && root.getVector("d_" + index) instanceof Float8Vector numbers) {
        numbers.setSafe(row, number);
      }
      String text = text(seed);
      if (text != null && root.getVector("s_" + index) instanceof VarCharVector texts) {
        texts.setSafe(row, text.getBytes(StandardCharsets.UTF_8));
      }
      Long whole = whole(seed);
      if (whole != null && root.getVector("n_" + index) instanceof BigIntVector wholes) {
        wholes.setSafe(row, whole);
      }
    }
  }

  private static @Nullable Double number(int seed) {
    int odd = seed % 20;
    if (odd == DOUBLES.length) {
      return null;
    }
    return odd < DOUBLES.length ? DOUBLES[odd] : Double.valueOf(seed / 4.0 - 100);
  }

  private static @Nullable String text(int seed) {
    int odd = seed % 25;
    if (odd == TEXTS.size()) {
      return null;
    }
    if (seed % 9_000 == 24) {
      return longText((char) ('A' + seed / 9_000));
    }
    return odd < TEXTS.size() ? TEXTS.get(odd) : "k" + seed;
  }

  /** One of the values of a MiB. */
  static String longText(char of) {
    return String.valueOf(of).repeat(LONG_TEXT);
  }

  private static @Nullable Long whole(int seed) {
    return switch (seed % 9) {
      case 0 -> null;
      case 1 -> Long.MIN_VALUE;
      case 2 -> Long.MAX_VALUE;
      default -> (long) seed / 3;
    };
  }
}
