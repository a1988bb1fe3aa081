package io.turnkeeper.worker;

import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code name:column:BTREE}. */
public final class IndexOption implements ITypeConverter<IndexSpec> {
  private static final int PARTS = 3;

  @Override
  public IndexSpec convert(String value) {
    String[] parts = value.split(":", -1);
    if (parts.length == PARTS) {
      try {
        return new IndexSpec(
            parts[0], parts[1], IndexType.valueOf(parts[2].toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        throw wrong(value);
      }
    }
    throw wrong(value);
  }

  private static TypeConversionException wrong(String value) {
    return new TypeConversionException(
        "expected name:column:BTREE or name:column:ZONEMAP, but it is '" + value + "'");
  }
}
