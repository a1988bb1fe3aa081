package io.turnkeeper.events.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.turnkeeper.core.policy.PolicyDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Policy documents as operators write them; the published schema says what is allowed. */
public final class PolicyJson {
  private static final String SCHEMA_FILE = "/policy/policy.schema.json";

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final JsonNode SCHEMA_TEXT = schemaText();
  private static final Schema SCHEMA =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(SCHEMA_TEXT);

  private PolicyJson() {}

  /**
   * Reads a document.
   *
   * @throws InvalidPolicyException naming every field that is unknown or out of range
   */
  public static PolicyDocument read(String text) throws InvalidPolicyException {
    ObjectNode root = PolicyText.object(text);
    List<String> problems =
        SCHEMA.validate(root).stream().map(PolicyText::problem).sorted().toList();
    if (!problems.isEmpty()) {
      throw new InvalidPolicyException(problems);
    }
    requireDistinct(root.at("/indexes"));
    try {
      return PolicyDocument.of(
          draft -> {
            for (PolicyField<?> field : PolicyField.ALL) {
              JsonNode value = root.at("/" + field.path().replace('.', '/'));
              if (!value.isMissingNode()) {
                field.into(draft, value);
              }
            }
          });
    } catch (IllegalArgumentException e) {
      throw new InvalidPolicyException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Of two indexes with one name each would replace the other for ever. */
  private static void requireDistinct(JsonNode indexes) throws InvalidPolicyException {
    Set<String> names = new HashSet<>();
    for (JsonNode index : indexes) {
      String name = index.path("name").asText();
      if (!names.add(name)) {
        throw new InvalidPolicyException(
            List.of("indexes: expected each name once, but '" + name + "' comes twice"));
      }
    }
  }

  /** Writes what the document sets and nothing else. */
  public static String write(PolicyDocument document) {
    ObjectNode root = JSON.createObjectNode();
    for (PolicyField<?> field : PolicyField.ALL) {
      field.of(document).ifPresent(value -> put(root, field.path(), value));
    }
    return root.toPrettyString();
  }

  /** What differs, one line for each field, as {@code merge.urgent: 256 -> 512}. */
  public static List<String> differences(PolicyDocument from, PolicyDocument to) {
    List<String> lines = new ArrayList<>();
    for (PolicyField<?> field : PolicyField.ALL) {
      Optional<JsonNode> before = field.of(from);
      Optional<JsonNode> after = field.of(to);
      if (!before.equals(after)) {
        lines.add(field.path() + ": " + shown(before) + " -> " + shown(after));
      }
    }
    return lines;
  }

  /** The published JSON Schema, draft 2020-12. */
  public static String schema() {
    return SCHEMA_TEXT.toPrettyString();
  }

  private static String shown(Optional<JsonNode> value) {
    return value.map(JsonNode::toString).orElse("inherited");
  }

  private static void put(ObjectNode root, String path, JsonNode value) {
    int dot = path.indexOf('.');
    if (dot < 0) {
      root.set(path, value);
    } else {
      root.withObjectProperty(path.substring(0, dot)).set(path.substring(dot + 1), value);
    }
  }

  private static JsonNode schemaText() {
    try (InputStream in =
        Objects.requireNonNull(PolicyJson.class.getResourceAsStream(SCHEMA_FILE), SCHEMA_FILE)) {
      return JSON.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException("expected a JSON Schema in " + SCHEMA_FILE, e);
    }
  }
}
