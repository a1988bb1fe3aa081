package io.turnkeeper.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One step of a journal as one line of JSON: to be read by people and tools, and, with the encoded
 * records in it, to be replayed.
 */
public final class StepJson {
  private static final String BYTES = "avro";

  private final RecordCodec codec;
  private final RecordJson json;

  public StepJson(RecordCodec codec) {
    this.codec = codec;
    this.json = new RecordJson(codec);
  }

  /** The step for reading. */
  public ObjectNode shown(JournalStep step) {
    ObjectNode node = json.of(step.entry());
    node.remove("type");
    ObjectNode line = node.objectNode().put("partition", step.partition());
    line.put("sequence", step.entry().sequence());
    line.put("time", Instant.ofEpochMilli(step.entry().atMillis()).toString());
    line.set("source", node.get("source"));
    line.set("event", node.get("event"));
    ArrayNode decisions = line.putArray("decisions");
    for (DecisionRecord record : step.decisions()) {
      ObjectNode decision = json.of(record);
      decision.remove(List.of("type", "partition", "sequence"));
      decisions.add(decision);
    }
    return line;
  }

  /** The step for reading and for replaying. */
  public ObjectNode whole(JournalStep step) {
    ObjectNode line = shown(step);
    ObjectNode bytes = line.putObject(BYTES);
    bytes.put("entry", codec.encode(step.entry()));
    ArrayNode decisions = bytes.putArray("decisions");
    step.decisions().forEach(record -> decisions.add(codec.encode(record)));
    return line;
  }

  /**
   * The step that a line of {@link #whole} is.
   *
   * @throws InvalidRecordException if it is none
   */
  public JournalStep read(JsonNode line) throws InvalidRecordException {
    JsonNode bytes = line.path(BYTES);
    try {
      JournalEntry entry = codec.decode(bytes.path("entry").binaryValue(), JournalEntry.class);
      List<DecisionRecord> decisions = new ArrayList<>();
      for (JsonNode decision : bytes.path("decisions")) {
        decisions.add(codec.decode(decision.binaryValue(), DecisionRecord.class));
      }
      return new JournalStep(line.path("partition").asInt(), entry, decisions);
    } catch (IOException | NullPointerException e) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNDECODABLE, "expected a journal step with its bytes", e);
    }
  }
}
