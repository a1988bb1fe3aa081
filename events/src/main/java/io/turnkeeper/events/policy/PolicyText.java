package io.turnkeeper.events.policy;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The text of a policy as one JSON object; what is wrong is said in the words of who wrote it. */
final class PolicyText {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private PolicyText() {}

  /**
   * Reads the one object that the text must be.
   *
   * @throws InvalidPolicyException if it is anything else, with line and column where it helps
   */
  static ObjectNode object(String text) throws InvalidPolicyException {
    try (JsonParser parser = JSON.createParser(text)) {
      if (parser.nextToken() == null) {
        throw notOneObject("there is nothing", null);
      }
      if (!parser.isExpectedStartObjectToken()) {
        String what = parser.currentToken().isScalarValue() ? "a single value" : "a list";
        throw notOneObject("there is " + what, null);
      }
      ObjectNode object = JSON.readTree(parser);
      if (parser.nextToken() != null) {
        throw notOneObject("something follows it" + at(parser.currentTokenLocation()), null);
      }
      return object;
    } catch (JsonProcessingException e) {
      throw notOneObject("it is not JSON" + at(e.getLocation()) + ": " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalStateException("expected a text to be read without I/O", e);
    }
  }

  private static InvalidPolicyException notOneObject(String fact, @Nullable Throwable cause) {
    return new InvalidPolicyException("expected one JSON object, but " + fact, cause);
  }

  private static String at(@Nullable JsonLocation place) {
    return place == null
        ? ""
        : String.format(
            Locale.ROOT, " at line %d, column %d", place.getLineNr(), place.getColumnNr());
  }

  /** What the schema says against a document, as {@code merge.maxAge: ...}. */
  static String problem(Error error) {
    String field = field(error.getInstanceLocation());
    if (error.getKeyword().equals("additionalProperties")) {
      return (field.isEmpty() ? "" : field + ".") + error.getProperty() + ": unknown field";
    }
    return (field.isEmpty() ? "" : field + ": ") + reason(error);
  }

  private static String reason(Error error) {
    if (error.getKeyword().equals("enum")) {
      return error.getMessage() + ", but it is " + error.getInstanceNode();
    }
    if (!error.getKeyword().equals("pattern")) {
      return error.getMessage();
    }
    String pattern = error.getSchemaNode().asText();
    String expected =
        pattern.contains("(ms|s)")
            ? "a time above 0 like 90s or 7d, of at most 12 digits and ms or s, 11 and m, 9 and h,"
                + " or 8 and d"
            : pattern.contains("TiB")
                ? "a size "
                    + (pattern.contains("[1-9]") ? "above 0 " : "")
                    + "like 64MiB, of at most 12 digits and B or KiB, 9 and MiB, 6 and GiB, or up to"
                    + " 7999TiB"
                : "what matches " + pattern;
    return "expected " + expected + ", but it is " + error.getInstanceNode();
  }

  /** As people write it: names joined by dots, places in lists in brackets. */
  private static String field(NodePath path) {
    StringBuilder field = new StringBuilder();
    for (int i = 0; i < path.getNameCount(); i++) {
      Object element = path.getElement(i);
      if (element instanceof Integer place) {
        field.append('[').append(place).append(']');
      } else {
        field.append(field.isEmpty() ? "" : ".").append(element);
      }
    }
    return field.toString();
  }
}
