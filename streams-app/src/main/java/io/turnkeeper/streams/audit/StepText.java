package io.turnkeeper.streams.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.StepJson;
import java.util.Map;

/** A journal step for people: the entry on one line, each decision with its reason below it. */
record StepText(StepJson json) {
  String of(JournalStep step) {
    ObjectNode line = json.shown(step);
    StringBuilder text = new StringBuilder();
    text.append(step.partition())
        .append(':')
        .append(step.entry().sequence())
        .append("  ")
        .append(line.path("time").asText())
        .append("  ");
    append(line.path("event"), text);
    JsonNode source = line.path("source");
    if (source.isObject()) {
      text.append("  (")
          .append(source.path("topic").asText())
          .append('-')
          .append(source.path("partition").asText())
          .append('@')
          .append(source.path("offset").asText())
          .append(')');
    }
    for (JsonNode decision : line.path("decisions")) {
      text.append(System.lineSeparator()).append("    -> ");
      append(decision.path("decision"), text);
      text.append("  because: ").append(decision.path("reason").asText());
    }
    return text.toString();
  }

  /** The name, then the fields that say something. */
  private static void append(JsonNode record, StringBuilder into) {
    into.append(record.path("type").asText());
    for (Map.Entry<String, JsonNode> field : record.properties()) {
      JsonNode value = field.getValue();
      boolean empty = value.isNull() || (value.isContainerNode() && value.isEmpty());
      if (!empty && !field.getKey().equals("type")) {
        into.append(' ').append(field.getKey()).append('=').append(value(value));
      }
    }
  }

  private static String value(JsonNode value) {
    return switch (value.path("type").asText()) {
      case "UnitId" -> unit(value);
      case "Attempt" ->
          unit(value.path("unit"))
              + "/"
              + value.path("number").asText()
              + "@"
              + value.path("executor").asText()
              + ":"
              + value.path("incarnation").asText();
      default -> value.isTextual() ? value.asText() : set(value).toString();
    };
  }

  /** As all else that tells people of units names them. */
  private static String unit(JsonNode unit) {
    return unit.path("table").asText() + "#" + unit.path("sequence").asText();
  }

  /** A record without its fields that are null, at any depth: a policy sets few of its many. */
  private static JsonNode set(JsonNode value) {
    if (!(value instanceof ObjectNode record)) {
      return value;
    }
    ObjectNode kept = record.objectNode();
    for (Map.Entry<String, JsonNode> field : record.properties()) {
      if (!field.getValue().isNull()) {
        kept.set(field.getKey(), set(field.getValue()));
      }
    }
    return kept;
  }
}
