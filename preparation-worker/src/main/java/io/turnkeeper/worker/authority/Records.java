package io.turnkeeper.worker.authority;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.etcd.jetcd.ByteSequence;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.Location;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values in etcd, as JSON that a person can read with etcdctl. One record has one encoding, so
 * that a holder knows its own by its bytes.
 */
final class Records {
  /** A head as it is stored; a tombstone keeps everything, so that numbers go on rising. */
  record StoredHead(Head head, boolean dropped) {}

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Records() {}

  static ByteSequence head(StoredHead stored) {
    Head head = stored.head();
    ObjectNode node = JSON.createObjectNode();
    node.put("tableIncarnation", head.tableIncarnation());
    node.put("uri", head.uri());
    node.put("version", head.version());
    node.put("turn", head.turn());
    node.put("unit", head.unit());
    node.put("attempt", head.unitAttempt());
    node.set("manifest", manifestNode(head.manifest()));
    ObjectNode marks = node.putObject("mergedThrough");
    head.mergedThrough().forEach((shard, mark) -> marks.put(shard.value(), mark));
    node.put("highestTurn", head.highestTurn());
    if (stored.dropped()) {
      node.put("dropped", true);
    }
    return bytes(node);
  }

  static StoredHead head(ByteSequence value) {
    JsonNode node = parsed(value);
    SortedMap<ShardId, Long> marks = new TreeMap<>();
    for (Map.Entry<String, JsonNode> mark : node.required("mergedThrough").properties()) {
      marks.put(new ShardId(mark.getKey()), mark.getValue().longValue());
    }
    Head head =
        new Head(
            number(node, "tableIncarnation"),
            node.required("uri").textValue(),
            number(node, "version"),
            number(node, "turn"),
            number(node, "unit"),
            Math.toIntExact(number(node, "attempt")),
            manifest(node.required("manifest")),
            marks,
            number(node, "highestTurn"));
    return new StoredHead(head, node.path("dropped").booleanValue());
  }

  static ByteSequence turn(Attempt attempt, long turn) {
    ObjectNode node = JSON.createObjectNode();
    node.put("turn", turn);
    node.put("unit", attempt.unit().sequence());
    node.put("attempt", attempt.number());
    node.put("executor", attempt.executor().value());
    node.put("incarnation", attempt.incarnation());
    return bytes(node);
  }

  /** The record of a version; the turn in it is for people. */
  static ByteSequence manifest(Manifest manifest, long turn) {
    return bytes(manifestNode(manifest).put("turn", turn));
  }

  static Manifest manifest(ByteSequence value) {
    return manifest(parsed(value));
  }

  static ByteSequence location(Location location, String uri) {
    ObjectNode node = JSON.createObjectNode();
    node.put("table", location.table().value());
    node.put("tableIncarnation", location.tableIncarnation());
    node.put("uri", uri);
    return bytes(node);
  }

  static Location location(ByteSequence value) {
    JsonNode node = parsed(value);
    return new Location(
        new TableId(node.required("table").textValue()), number(node, "tableIncarnation"));
  }

  /** An executor's registration; its incarnation is the revision at which etcd stored it. */
  static ByteSequence executor(String nonce) {
    return bytes(JSON.createObjectNode().put("nonce", nonce));
  }

  private static ObjectNode manifestNode(Manifest manifest) {
    ObjectNode node = JSON.createObjectNode();
    node.put("path", manifest.path());
    node.put("sizeBytes", manifest.sizeBytes());
    node.put("sha256", manifest.sha256());
    return node;
  }

  private static Manifest manifest(JsonNode node) {
    return new Manifest(
        node.required("path").textValue(),
        number(node, "sizeBytes"),
        node.required("sha256").textValue());
  }

  private static long number(JsonNode node, String field) {
    JsonNode value = node.required(field);
    if (!value.canConvertToLong()) {
      throw new IllegalStateException("expected a whole number in " + field + " of " + node);
    }
    return value.longValue();
  }

  private static ByteSequence bytes(ObjectNode node) {
    try {
      return ByteSequence.from(JSON.writeValueAsBytes(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected a tree of JSON to be written", e);
    }
  }

  private static JsonNode parsed(ByteSequence value) {
    try {
      return JSON.readTree(value.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("expected JSON in etcd, but it is " + value, e);
    }
  }
}
