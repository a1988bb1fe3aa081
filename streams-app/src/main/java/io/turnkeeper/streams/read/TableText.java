package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The endpoint's answers as people read them. */
final class TableText {
  static final String HEADING =
      String.format("%-32s %8s %9s %-8s  %s", "TABLE", "VERSION", "PENDING", "BACKLOG", "NOW");

  /** Fields whose number is a time. */
  private static final String TIME_SUFFIX = "Millis";

  /** Said once above, or on the line already. */
  private static final Set<String> SAID = Set.of("kind", "reason");

  private TableText() {}

  /** One table of a list. */
  static String line(JsonNode table) {
    List<String> now = new ArrayList<>();
    if (!table.path("registered").asBoolean()) {
      now.add("not registered");
    }
    JsonNode turn = table.path("turn");
    if (turn.isObject()) {
      now.add("turn " + turn.path("number") + " " + text(turn.path("kind")));
    }
    for (JsonNode unit : table.path("units")) {
      now.add(text(unit.path("kind")) + " " + lower(unit.path("phase")));
    }
    for (JsonNode failure : table.path("failures")) {
      String mark = failure.path("attention").asBoolean() ? "!" : "";
      now.add(mark + text(failure.path("of")) + " failed: " + text(failure.path("code")));
    }
    return String.format(
            Locale.ROOT,
            "%-32s %8d %9d %-8s  %s",
            text(table.path("table")),
            table.path("version").asLong(),
            table.path("pendingGenerations").asLong(),
            lower(table.path("backlog")),
            String.join(", ", now))
        .stripTrailing();
  }

  /** All of one table that is of interest at a glance. */
  static String whole(JsonNode table) {
    JsonNode state = table.path("state");
    List<String> lines = new ArrayList<>();
    lines.add(heading(table));
    JsonNode registration = state.path("registration");
    lines.add(
        registration.isObject()
            ? field("lies in", text(registration.path("uri")))
            : field("lies in", "nowhere: it is not registered"));
    JsonNode head = state.path("head");
    lines.add(field("version", head.path("version") + ", committed in turn " + head.path("turn")));
    lines.add(field("turn", turn(state.path("turns"))));
    JsonNode admission = table.path("admission");
    if (admission.isObject()) {
      lines.add(
          field(
              "backlog",
              lower(admission.path("backlog"))
                  + ", writers wait "
                  + admission.path("delayMillis")
                  + " ms"));
    }
    for (Map.Entry<String, JsonNode> shard : state.path("shards").properties()) {
      lines.add(field("shard", text(shard.getKey()) + ": " + shard(shard.getValue())));
    }
    for (JsonNode unit : state.path("units")) {
      lines.add(field("unit", unit(unit)));
    }
    for (Map.Entry<String, JsonNode> failure : state.path("ledger").properties()) {
      lines.add(field("failed", text(failure.getKey()) + ": " + failure(failure.getValue())));
    }
    return String.join(System.lineSeparator(), lines);
  }

  /** One line for each kind. */
  static String reasons(JsonNode answer) {
    List<String> lines = new ArrayList<>();
    lines.add(heading(answer));
    for (JsonNode reason : answer.path("reasons")) {
      StringBuilder line =
          new StringBuilder(
              String.format(
                  "  %-10s %-22s", text(reason.path("kind")), text(reason.path("reason"))));
      for (Map.Entry<String, JsonNode> field : reason.properties()) {
        if (!SAID.contains(field.getKey()) && !field.getValue().isNull()) {
          line.append(' ').append(named(field.getKey(), field.getValue()));
        }
      }
      lines.add(line.toString().stripTrailing());
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static String heading(JsonNode answer) {
    return text(answer.path("table"))
        + "  (entry "
        + answer.path("partition")
        + ":"
        + answer.path("sequence")
        + " at "
        + text(answer.path("time"))
        + ")";
  }

  private static String turn(JsonNode turns) {
    JsonNode lost = turns.path("unresolved");
    String suffix = lost.isObject() ? ", turn " + lost.path("number") + " is being found out" : "";
    JsonNode open = turns.path("open");
    return open.isObject()
        ? open.path("number")
            + ": "
            + text(open.path("kind"))
            + " #"
            + open.path("unit")
            + " since "
            + time(open.path("grantedAtMillis"))
            + suffix
        : "nobody's, the last was " + turns.path("highest") + suffix;
  }

  private static String shard(JsonNode shard) {
    long sealed = shard.path("sealedThrough").asLong();
    long merged = shard.path("mergedThrough").asLong();
    String bad =
        shard.path("badGeneration").asLong() > 0
            ? ", unreadable from " + shard.path("badGeneration")
            : "";
    return "sealed "
        + sealed
        + ", merged "
        + merged
        + ", pending "
        + Math.max(0, sealed - merged)
        + bad;
  }

  private static String unit(JsonNode unit) {
    JsonNode placement = unit.path("placement");
    return text(unit.path("kind"))
        + " #"
        + unit.path("id").path("sequence")
        + " "
        + lower(unit.path("phase"))
        + ", attempt "
        + unit.path("attempt")
        + (placement.isObject() ? " on " + text(placement.path("executor")) : "")
        + ", since "
        + time(unit.path("requestedAtMillis"));
  }

  private static String failure(JsonNode failure) {
    return text(failure.path("code"))
        + " x"
        + failure.path("attempts")
        + (failure.path("attention").asBoolean() ? ", needs attention" : "")
        + ", again at "
        + time(failure.path("nextRetryMillis"))
        + ": "
        + text(failure.path("message"));
  }

  private static String field(String name, String value) {
    return String.format("  %-8s %s", name, value);
  }

  private static String named(String name, JsonNode value) {
    return name.endsWith(TIME_SUFFIX)
        ? name.substring(0, name.length() - TIME_SUFFIX.length()) + " " + time(value)
        : name + " " + (value.isArray() ? text(value.toString()) : text(value));
  }

  private static String time(JsonNode millis) {
    return Instant.ofEpochMilli(millis.asLong()).toString();
  }

  private static String lower(JsonNode value) {
    return text(value).toLowerCase(Locale.ROOT);
  }

  private static String text(JsonNode value) {
    return text(value.asText());
  }

  /** What others wrote must not steer the terminal. */
  private static String text(String value) {
    return value.replaceAll("\\p{Cntrl}", "?");
  }
}
