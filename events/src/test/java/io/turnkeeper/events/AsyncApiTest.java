package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.PolicyApplied;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.TableSnapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/asyncapi.json} says of every topic what the code does. To write it anew: {@code mvn
 * -pl events -am test -Dtest=AsyncApiTest -Dturnkeeper.test.flags=-Dasyncapi=write
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class AsyncApiTest {
  private static final Path DOCUMENT = Path.of("../docs/asyncapi.json");
  private static final String SCHEMAS = "../schemas/src/main/resources/released/";
  private static final String BINDING = "0.5.0";

  /** Topics from which the scheduler reads what others wrote. */
  private static final Set<Topic> READ =
      Set.of(
          Topic.DEMAND,
          Topic.CLAIM,
          Topic.CHECKPOINT,
          Topic.PUBLISH,
          Topic.POLICY,
          Topic.PLACEMENT,
          Topic.EXECUTOR,
          Topic.POOL_INBOX);

  /** Topics on which a silence is probed, where the scheduler writes too. */
  private static final Set<Topic> PROBED = Set.of(Topic.CLAIM, Topic.CHECKPOINT, Topic.PUBLISH);

  private static final Map<Topic, List<Class<?>>> WRITTEN =
      Map.of(
          Topic.JOURNAL, List.of(JournalEntry.class),
          Topic.DECISION, List.of(DecisionRecord.class),
          Topic.POOL_JOURNAL, List.of(JournalEntry.class),
          Topic.POOL_DECISION, List.of(DecisionRecord.class),
          Topic.ASSIGNMENT, List.of(Assignment.class),
          Topic.TABLE_STATE, List.of(TableSnapshot.class, PartitionState.class),
          Topic.REJECTED, List.of());

  private static final Map<Topic, String> KEYS =
      Map.of(
          Topic.POLICY, "the table, or _default for all tables, sent to every partition",
          Topic.JOURNAL, "the table, or _partition for what concerns the partition",
          Topic.POOL_JOURNAL, "the pool, or _partition for what concerns the partition",
          Topic.TABLE_STATE, "the table, or _partition for the partition's own state",
          Topic.ASSIGNMENT, "the executor",
          Topic.REJECTED, "as it came");

  private final ObjectMapper mapper =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
  private final Topics topics = new Topics(Topics.DEFAULT_PREFIX);

  @Test
  void theDocumentSaysWhatTheCodeDoes() throws Exception {
    JsonNode expected = mapper.readTree(mapper.writeValueAsString(document()));
    if ("write".equals(System.getProperty("asyncapi"))) {
      Files.writeString(DOCUMENT, mapper.writeValueAsString(expected) + "\n");
    }
    JsonNode actual = mapper.readTree(DOCUMENT.toFile());
    for (Topic topic : Topic.values()) {
      assertThat(actual.path("channels").path(topic.suffix()))
          .as("channel %s, see the class comment", topic.suffix())
          .isEqualTo(expected.path("channels").path(topic.suffix()));
    }
    assertThat(actual).as("see the class comment").isEqualTo(expected);
  }

  @Test
  void everyEventThatIsReadFromATopicIsOnAChannel() {
    Set<String> onChannels = new TreeSet<>();
    for (Topic topic : Topic.values()) {
      messages(topic).forEach(type -> onChannels.add(type.getSimpleName()));
    }
    for (Class<?> type : WireTypes.FAMILIES.recordsOf(Event.class)) {
      if (!PartitionEvent.class.isAssignableFrom(type) && type != PolicyApplied.class) {
        assertThat(onChannels).contains(type.getSimpleName());
      }
    }
  }

  @Test
  void everySchemaThatTheDocumentNamesIsThere() throws Exception {
    List<String> named = mapper.readTree(DOCUMENT.toFile()).findValuesAsText("$ref");
    List<String> files = named.stream().filter(name -> name.startsWith("..")).toList();
    assertThat(files).isNotEmpty();
    for (String file : files) {
      assertThat(DOCUMENT.resolveSibling(file)).exists();
    }
  }

  private ObjectNode document() {
    ObjectNode root = mapper.createObjectNode().put("asyncapi", "3.0.0");
    root.putObject("info")
        .put("title", "Turnkeeper")
        .put("version", "1")
        .put(
            "description",
            "The topics of one scheduler, as it sees them. Addresses begin with the default prefix"
                + " and partition counts are the defaults; both are settings. Values are Avro in"
                + " single-object encoding: C3 01, the schema's fingerprint (8 bytes), the record."
                + " Keys are UTF-8 and placed by murmur2, as the Java client does.");
    root.put("defaultContentType", CloudEventHeaders.CONTENT_TYPE);
    ObjectNode channels = root.putObject("channels");
    ObjectNode operations = root.putObject("operations");
    SortedMap<String, ObjectNode> all = new TreeMap<>();
    for (Topic topic : Topic.values()) {
      channels.set(topic.suffix(), channel(topic));
      if (READ.contains(topic)) {
        operations.set("receive-" + topic.suffix(), operation("receive", topic));
      }
      if (!READ.contains(topic) || isWrittenBack(topic)) {
        operations.set("send-" + topic.suffix(), operation("send", topic));
      }
      for (Class<?> type : messages(topic)) {
        all.put(type.getSimpleName(), message(type));
      }
    }
    root.putObject("components").putObject("messages").setAll(all);
    return root;
  }

  private static boolean isWrittenBack(Topic topic) {
    return PROBED.contains(topic)
        || topic == Topic.EXECUTOR
        || topic == Topic.PLACEMENT
        || topic == Topic.POOL_INBOX;
  }

  private static List<Class<?>> messages(Topic topic) {
    List<Class<?>> messages = new ArrayList<>();
    if (topic.family() != null) {
      messages.addAll(WireTypes.FAMILIES.recordsOf(topic.family()));
    }
    WRITTEN
        .getOrDefault(topic, List.of())
        .forEach(family -> messages.addAll(WireTypes.FAMILIES.recordsOf(family)));
    if (PROBED.contains(topic)) {
      messages.add(Probe.class);
    }
    return messages;
  }

  private ObjectNode channel(Topic topic) {
    String key =
        KEYS.getOrDefault(topic, topic.spread() == Topic.Spread.POOL ? "the pool" : "the table");
    ObjectNode channel = mapper.createObjectNode().put("address", topics.name(topic));
    channel.put("description", "Key: " + key + ".");
    ObjectNode messages = channel.putObject("messages");
    messages(topic)
        .forEach(
            type ->
                messages
                    .putObject(type.getSimpleName())
                    .put("$ref", "#/components/messages/" + type.getSimpleName()));
    ObjectNode kafka = channel.putObject("bindings").putObject("kafka");
    kafka.put("topic", topics.name(topic)).put("partitions", topics.partitions(topic));
    ObjectNode settings = kafka.putObject("topicConfiguration");
    new TreeMap<>(topic.settings())
        .forEach(
            (name, value) -> {
              if (name.equals("cleanup.policy")) {
                settings.putArray(name).add(value);
              } else {
                settings.put(name, Long.parseLong(value));
              }
            });
    kafka.put("bindingVersion", BINDING);
    return channel;
  }

  private ObjectNode operation(String action, Topic topic) {
    ObjectNode operation = mapper.createObjectNode().put("action", action);
    operation.putObject("channel").put("$ref", "#/channels/" + topic.suffix());
    return operation;
  }

  private ObjectNode message(Class<?> type) {
    String name = type.getSimpleName();
    ObjectNode message = mapper.createObjectNode().put("name", name);
    String doc = ReleasedSchemas.current(name).getDoc();
    if (doc != null) {
      message.put("summary", doc.replaceAll("\\s+", " "));
    }
    message.put("contentType", CloudEventHeaders.CONTENT_TYPE);
    if (Event.class.isAssignableFrom(type)) {
      ObjectNode headers = message.putObject("headers").put("type", "object");
      headers.put(
          "description",
          "CloudEvents, set by EventProducer; what the scheduler itself writes has none.");
      ObjectNode properties = headers.putObject("properties");
      new CloudEventHeaders("/any")
          .of(Objects.requireNonNull(Samples.golden().get(name)), Instant.EPOCH)
          .forEach(header -> properties.putObject(header.key()).put("type", "string"));
    }
    ObjectNode payload = message.putObject("payload");
    payload.put("schemaFormat", "application/vnd.apache.avro;version=1.9.0");
    payload
        .putObject("schema")
        .put("$ref", SCHEMAS + name + "/v" + ReleasedSchemas.of(name).size() + ".avsc");
    ObjectNode kafka = message.putObject("bindings").putObject("kafka");
    kafka.putObject("key").put("type", "string");
    kafka.put("bindingVersion", BINDING);
    return message;
  }
}
