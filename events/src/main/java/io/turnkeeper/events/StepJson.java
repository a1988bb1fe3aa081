package io.turnkeeper.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of a journal as one line of JSON: to be read by people and tools, and, with the encoded
 * records in it, to be replayed.
 */
public final class StepJson {
  private static final String BYTES = "avro";

  /** How much is said of a difference, to both of its sides. */
  private static final int EXCERPT_CHARS = 40;

  private static final String ENTRY = "entry";
  private static final String DECISIONS = "decisions";

  private final RecordCodec codec;
  private final RecordJson json;

  public StepJson(RecordCodec codec) {
    this.codec = codec;
    this.json = new RecordJson(codec);
  }

  /** The step for reading. */
  public ObjectNode shown(JournalStep step) {
    return shown(
        step.partition(),
        json.of(step.entry()),
        step.decisions().stream().map(record -> json.of(record)).toList());
  }

  private static ObjectNode shown(int partition, ObjectNode entry, List<ObjectNode> records) {
    ObjectNode line = entry.objectNode().put("partition", partition);
    line.set("sequence", entry.get("sequence"));
    line.put("time", Instant.ofEpochMilli(entry.path("atMillis").asLong()).toString());
    line.set("source", entry.get("source"));
    line.set("event", entry.get("event"));
    ArrayNode decisions = line.putArray(DECISIONS);
    for (ObjectNode record : records) {
      record.remove(List.of("type", "partition", "sequence"));
      decisions.add(record);
    }
    return line;
  }

  /** The step for reading and for replaying. */
  public ObjectNode whole(JournalStep step) {
    ObjectNode line = shown(step);
    ObjectNode bytes = line.putObject(BYTES);
    bytes.put(ENTRY, codec.encode(step.entry()));
    ArrayNode decisions = bytes.putArray(DECISIONS);
    step.decisions().forEach(record -> decisions.add(codec.encode(record)));
    return line;
  }

  /**
   * The step that a line of {@link #whole} is, as its bytes have it.
   *
   * @throws InvalidRecordException if it is none
   */
  public JournalStep read(JsonNode line) throws InvalidRecordException {
    List<DecisionRecord> decisions = new ArrayList<>();
    for (JsonNode decision : line.path(BYTES).path(DECISIONS)) {
      decisions.add(codec.decode(bytes(decision), DecisionRecord.class));
    }
    return new JournalStep(
        line.path("partition").asInt(),
        codec.decode(bytes(line.path(BYTES).path(ENTRY)), JournalEntry.class),
        decisions);
  }

  /**
   * Where a line of {@link #whole} says something else to people than its bytes say to programs,
   * null if it does not.
   *
   * @throws InvalidRecordException if it is no such line
   */
  public @Nullable String difference(JsonNode line) throws InvalidRecordException {
    List<ObjectNode> records = new ArrayList<>();
    for (JsonNode decision : line.path(BYTES).path(DECISIONS)) {
      records.add(json.ofBytes(bytes(decision)));
    }
    // Under the schema they were written with, so that an old export is as it was.
    ObjectNode entry = json.ofBytes(bytes(line.path(BYTES).path(ENTRY)));
    ObjectNode expected = shown(line.path("partition").asInt(), entry, records);
    for (Map.Entry<String, JsonNode> field : expected.properties()) {
      // As text, since a number that was parsed has another class than one that was put in.
      String said = line.path(field.getKey()).toString();
      String meant = field.getValue().toString();
      if (!said.equals(meant)) {
        int from = Arrays.mismatch(said.toCharArray(), meant.toCharArray());
        return field.getKey()
            + " is "
            + excerpt(said, from)
            + " to read, but its bytes say "
            + excerpt(meant, from);
      }
    }
    return null;
  }

  private static String excerpt(String text, int around) {
    int begin = Math.max(0, around - EXCERPT_CHARS);
    int end = Math.min(text.length(), around + EXCERPT_CHARS);
    return "…" + text.substring(Math.min(begin, end), end) + "…";
  }

  private static byte[] bytes(JsonNode base64) throws InvalidRecordException {
    try {
      return Objects.requireNonNull(base64.binaryValue());
    } catch (IOException | NullPointerException e) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNDECODABLE, "expected a journal step with its bytes", e);
    }
  }
}
