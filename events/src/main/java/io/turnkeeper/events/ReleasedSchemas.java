package io.turnkeeper.events;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Every version of a record's schema that was ever released, so that old bytes stay readable for
 * ever. They lie on the class path as {@code released/<record>/v<n>.avsc}, n from 1 without gaps.
 */
final class ReleasedSchemas {
  private static final String GENERATED_PACKAGE = "io.turnkeeper.schemas.";

  private ReleasedSchemas() {}

  /** The released versions of a record, oldest first; empty if it never was released. */
  static List<Schema> of(String record) {
    List<Schema> versions = new ArrayList<>();
    for (int version = 1; ; version++) {
      String name = "/released/" + record + "/v" + version + ".avsc";
      try (InputStream in = ReleasedSchemas.class.getResourceAsStream(name)) {
        if (in == null) {
          return versions;
        }
        versions.add(new Schema.Parser().parse(in));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + name, e);
      }
    }
  }

  /**
   * The schema this version writes.
   *
   * @throws IllegalStateException if there is none of that name
   */
  static Schema current(String record) {
    try {
      return (Schema) Class.forName(GENERATED_PACKAGE + record).getField("SCHEMA$").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "expected an Avro record " + record + " in schemas/src/main/avro, but there is none", e);
    }
  }
}
