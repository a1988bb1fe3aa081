package io.turnkeeper.worker.wal;

import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Compares a generation's columns with the table's: same names, order and types. Metadata may
 * differ (writers note their epoch there), and a column may promise more than the table asks: no
 * nulls where the table allows them.
 */
final class SchemaMatch {
  private SchemaMatch() {}

  /** The first difference in words, or null if rows of {@code found} fit into {@code wanted}. */
  static @Nullable String difference(Schema wanted, Schema found) {
    return difference("", wanted.getFields(), found.getFields());
  }

  private static @Nullable String difference(String at, List<Field> wanted, List<Field> found) {
    if (wanted.size() != found.size()) {
      return "its schema has "
          + found.size()
          + " columns"
          + (at.isEmpty() ? "" : " in " + at)
          + " where the table has "
          + wanted.size();
    }
    for (int i = 0; i < wanted.size(); i++) {
      String difference = difference(at, wanted.get(i), found.get(i));
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private static @Nullable String difference(String at, Field wanted, Field found) {
    boolean fits =
        wanted.getName().equals(found.getName())
            && wanted.getType().equals(found.getType())
            && found.getDictionary() == null
            && (wanted.isNullable() || !found.isNullable());
    if (!fits) {
      return "its schema has " + words(at, found) + " where the table has " + words(at, wanted);
    }
    return difference(at + wanted.getName() + ".", wanted.getChildren(), found.getChildren());
  }

  private static String words(String at, Field field) {
    return at
        + field.getName()
        + ": "
        + field.getType()
        + (field.isNullable() ? "" : " not null")
        + (field.getDictionary() == null ? "" : " (dictionary-encoded)");
  }
}
