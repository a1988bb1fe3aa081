package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.apache.avro.SchemaValidationException;
import org.apache.avro.SchemaValidator;
import org.apache.avro.SchemaValidatorBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is written today is released, and everything released stays readable.
 *
 * <p>To release a changed or new schema: {@code mvn -pl events -am test -Dtest=ReleasedSchemasTest
 * -Dturnkeeper.test.flags=-Dschemas=release -Dsurefire.failIfNoSpecifiedTests=false}. It writes the
 * next {@code v<n>.avsc} of each record that differs from its newest one. A version that has never
 * left a development machine may be deleted before that.
 */
class ReleasedSchemasTest {
  private static final Path FOLDER = Path.of("../schemas/src/main/resources/released");

  /** Readers of either age read bytes of either age. */
  private static final SchemaValidator BOTH_WAYS =
      new SchemaValidatorBuilder().mutualReadStrategy().validateAll();

  private final ObjectMapper json = new ObjectMapper();

  @Test
  void theCurrentSchemaIsTheNewestReleasedOne() throws Exception {
    List<String> unreleased = new ArrayList<>();
    for (Class<?> type : WireTypes.all()) {
      String name = type.getSimpleName();
      Schema current = plain(ReleasedSchemas.current(name));
      List<Schema> versions = released(name);
      if (versions.isEmpty() || !versions.get(versions.size() - 1).equals(current)) {
        unreleased.add(name);
        if ("release".equals(System.getProperty("schemas"))) {
          release(name, versions.size() + 1, current);
        }
      }
    }
    assertThat(unreleased).as("records to release, see the class comment").isEmpty();
  }

  @Test
  void everyReleasedSchemaIsReadableBothWays() throws Exception {
    for (Class<?> type : WireTypes.all()) {
      Schema current = plain(ReleasedSchemas.current(type.getSimpleName()));
      List<Schema> newestFirst = new ArrayList<>(released(type.getSimpleName()));
      Collections.reverse(newestFirst);
      try {
        BOTH_WAYS.validate(current, newestFirst);
      } catch (SchemaValidationException e) {
        throw new AssertionError(type.getSimpleName() + " is not compatible with its past", e);
      }
    }
  }

  @Test
  void anIncompatibleChangeIsReported() {
    Schema before = parse("[{'name':'a','type':'long'}]");
    Schema renamed = parse("[{'name':'b','type':'long'}]");
    Schema narrowed = parse("[{'name':'a','type':'int'}]");
    Schema extended = parse("[{'name':'a','type':'long'},{'name':'b','type':'int','default':0}]");

    assertThat(fault(renamed, before)).isInstanceOf(SchemaValidationException.class);
    assertThat(fault(narrowed, before)).isInstanceOf(SchemaValidationException.class);
    assertThat(fault(extended, before)).isNull();
  }

  private static @Nullable Exception fault(Schema current, Schema before) {
    try {
      BOTH_WAYS.validate(current, List.of(before));
      return null;
    } catch (SchemaValidationException e) {
      return e;
    }
  }

  private static Schema parse(String fields) {
    String schema = "{'type':'record','name':'R','fields':" + fields + "}";
    return new Schema.Parser().parse(schema.replace('\'', '"'));
  }

  /** Read from the source folder, so that a release in this run counts for the next one only. */
  private static List<Schema> released(String name) throws Exception {
    List<Schema> versions = new ArrayList<>();
    for (int version = 1; Files.exists(file(name, version)); version++) {
      versions.add(new Schema.Parser().parse(file(name, version).toFile()));
    }
    if (!versions.isEmpty()) {
      try (Stream<Path> files = Files.list(FOLDER.resolve(name))) {
        assertThat(files.count())
            .as("versions of %s, without gaps", name)
            .isEqualTo(versions.size());
      }
    }
    return versions;
  }

  private void release(String name, int version, Schema schema) throws Exception {
    Files.createDirectories(FOLDER.resolve(name));
    Files.writeString(file(name, version), SchemaFormatter.format("json/pretty", schema) + "\n");
  }

  private static Path file(String name, int version) {
    return FOLDER.resolve(name).resolve("v" + version + ".avsc");
  }

  /** Without the properties that only steer the generator of Java classes. */
  private Schema plain(Schema schema) throws Exception {
    return new Schema.Parser()
        .parse(json.writeValueAsString(plain(json.readTree(schema.toString()))));
  }

  private static JsonNode plain(JsonNode node) {
    if (node instanceof ObjectNode object && object.has("avro.java.string")) {
      object.remove("avro.java.string");
      return object.size() == 1 ? object.get("type") : object;
    }
    if (node instanceof ObjectNode object) {
      List<String> names = new ArrayList<>();
      object.fieldNames().forEachRemaining(names::add);
      names.forEach(name -> object.set(name, plain(object.get(name))));
    } else if (node instanceof com.fasterxml.jackson.databind.node.ArrayNode array) {
      for (int i = 0; i < array.size(); i++) {
        array.set(i, plain(array.get(i)));
      }
    }
    return node;
  }
}
