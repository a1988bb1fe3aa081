package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.pool.Waiting;
import io.turnkeeper.core.table.Backlog;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Turns;
import io.turnkeeper.core.table.WhyNot;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.RecordJson;
import io.turnkeeper.streams.LiveTable;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * States as JSON: records as the topics' schemas name their fields, with what follows from them.
 */
final class StateJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final RecordJson records;
  private final ObjectMapper fields =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(UnitId.class, ToStringSerializer.instance)
                  .addSerializer(PoolId.class, ToStringSerializer.instance));

  StateJson(RecordCodec codec) {
    this.records = new RecordJson(codec);
  }

  /** All of a table, as in {@code table-state}. */
  ObjectNode table(LiveTable table) {
    ObjectNode node = placed(table);
    ObjectNode snapshot = records.of(table.snapshot());
    snapshot.remove("type");
    return node.setAll(snapshot);
  }

  /** One line of a list. */
  ObjectNode summary(TableState state) {
    ObjectNode node = NODES.objectNode().put("table", state.table().value());
    node.put("registered", state.registration() != null);
    node.put("version", state.head().version());
    node.put("pendingGenerations", state.pendingGenerations());
    node.put("backlog", Backlog.of(state.pendingGenerations()).name());
    Turns.Turn open = state.turns().open();
    if (open == null) {
      node.putNull("turn");
    } else {
      node.putObject("turn").put("number", open.number()).put("kind", open.kind().name());
    }
    ArrayNode units = node.putArray("units");
    state
        .units()
        .forEach(
            (kind, unit) ->
                units
                    .addObject()
                    .put("kind", kind.name())
                    .put("unit", unit.id().sequence())
                    .put("phase", unit.phase().name()));
    ArrayNode failures = node.putArray("failures");
    state
        .ledger()
        .forEach(
            (key, failure) ->
                failures
                    .addObject()
                    .put("of", key)
                    .put("code", failure.code())
                    .put("attention", failure.attention()));
    return node;
  }

  /** For each kind the one reason. */
  ObjectNode why(LiveTable table, Map<Kind, WhyNot> reasons, Map<Kind, Long> ahead) {
    ObjectNode node = placed(table);
    node.put("sequence", table.partition().sequence());
    ArrayNode all = node.putArray("reasons");
    reasons.forEach(
        (kind, reason) -> {
          ObjectNode one = all.addObject();
          one.put("kind", kind.name()).put("reason", reason.reason());
          one.setAll((ObjectNode) fields.valueToTree(reason));
          if (reason instanceof WhyNot.ByPolicy policy) {
            setBy(policy.field(), table, one);
          }
          if (ahead.containsKey(kind)) {
            one.put("ahead", ahead.get(kind));
          }
        });
    return node;
  }

  /** What the policy says there, and whose document says it. */
  private static void setBy(String field, LiveTable table, ObjectNode into) {
    PolicyDocument own = table.state().policy();
    Policy policy = Policy.of(table.partition().defaults(), own);
    boolean isOwn;
    if (field.equals("mode")) {
      into.put("value", policy.mode().name());
      isOwn = own.mode() != null;
    } else if (field.equals("kinds")) {
      policy.kinds().stream().sorted().map(Kind::name).forEach(into.putArray("value")::add);
      isOwn = own.kinds() != null;
    } else {
      return; // An operator did it by hand, which is no policy.
    }
    into.put("setBy", isOwn ? table.state().table().value() : TableId.DEFAULT.value());
  }

  /** How a unit stands among those that wait; nothing more is said of one that does not wait. */
  ObjectNode waiting(UnitId unit, @Nullable Waiting waiting) {
    ObjectNode node = NODES.objectNode().put("unit", unit.toString());
    return waiting == null
        ? node
        : node.put("ahead", waiting.ahead()).put("needsBytes", waiting.needsBytes());
  }

  /** All of a pool, with what is reserved on each executor. */
  ObjectNode pool(PoolState pool) {
    ObjectNode node = records.of(pool);
    node.remove("type");
    pool.executors()
        .keySet()
        .forEach(
            id -> {
              ObjectNode executor = (ObjectNode) node.withObject("executors").get(id.value());
              executor.put("reservedBytes", pool.reservedBytes(id));
            });
    return node;
  }

  private static ObjectNode placed(LiveTable table) {
    return NODES
        .objectNode()
        .put("table", table.state().table().value())
        .put("partition", table.number())
        .put("time", Instant.ofEpochMilli(table.partition().atMillis()).toString());
  }
}
