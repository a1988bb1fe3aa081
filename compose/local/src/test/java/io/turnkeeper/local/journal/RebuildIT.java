package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent.SourceGap;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.local.OnBrokers;
import io.turnkeeper.local.SchedulerOnBroker;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.RebuildRefusedException;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.audit.CheckCommand;
import io.turnkeeper.streams.audit.JournalCommand;
import io.turnkeeper.streams.audit.ReplayCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * One installation's history: how it is read and proven, what an operator may delete, and what
 * comes back from the journal. Each test goes on where the one before it ended.
 */
@TestMethodOrder(OrderAnnotation.class)
@OnBrokers
class RebuildIT {
  private static final int PARTITIONS = 2;
  private static final int TABLES = 20;
  private static final int ROUNDS = 8;
  private static final int HOME = 1;
  @TempDir static Path temp;
  private static SchedulerOnBroker broker;
  private final Heard heard = new Heard();

  /** What a rebuild said. */
  private static final class Heard implements RebuildListener {
    private final List<String> missing = new ArrayList<>();
    private long entries;
    private long of;

    @Override
    public void progressed(long done, long all) {
      entries = done;
      of = all;
    }

    @Override
    public void historyMissing(String journal, int partition, long from, long to) {
      missing.add(journal + "-" + partition + ":" + from + ".." + to);
    }
  }

  @BeforeAll
  static void start() throws Exception {
    broker = new SchedulerOnBroker(temp, PARTITIONS);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static TableId table(int number) {
    return new TableId("table-" + number);
  }

  /** Units are opened, placed and assigned; nobody claims them. */
  private void live() throws Exception {
    try (Scheduler scheduler = broker.start(RebuildMode.REFUSE, heard)) {
      for (int i = 0; i < TABLES; i++) {
        broker.register(table(i));
      }
      for (int round = 1; round <= ROUNDS; round++) {
        broker.heartbeat("worker-1", Kind.MERGE_WAL, Kind.OBSERVE);
        for (int i = 0; i < TABLES; i++) {
          broker.seal(table(i), "s" + round % 3, round);
        }
      }
      broker.seal(table(0), "last", 1);
      broker.awaitSent();
      assertThat(scheduler.running()).isTrue();
      SchedulerOnBroker.await("the last event in table-state", () -> isShown(table(0), "last"));
      SchedulerOnBroker.await("all units assigned", this::isAtRest);
    }
  }

  private boolean isShown(TableId table, String shard) {
    return shown().entrySet().stream()
        .filter(entry -> entry.getKey().endsWith("/" + table.value()))
        .anyMatch(
            entry ->
                ((TableSnapshot) entry.getValue())
                    .state().shards().keySet().stream().anyMatch(id -> id.value().equals(shard)));
  }

  /** Nothing is on its way between tables and pool that a scheduler would go on with. */
  private boolean isAtRest() {
    return shown().values().stream()
        .filter(TableSnapshot.class::isInstance)
        .flatMap(shown -> ((TableSnapshot) shown).state().units().values().stream())
        .allMatch(unit -> unit.phase() == Unit.Phase.ASSIGNED);
  }

  private SortedMap<String, Object> shown() {
    SortedMap<String, Object> decoded = new TreeMap<>();
    broker
        .newest(broker.topics.name(Topic.TABLE_STATE))
        .forEach(
            (key, bytes) -> {
              try {
                decoded.put(key, broker.codec.decode(bytes));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    return decoded;
  }

  /** Every state but the partitions' own, which go on with each start. */
  private Map<String, byte[]> stores() {
    Map<String, byte[]> stores = new TreeMap<>();
    for (String changelog : broker.changelogs()) {
      broker.newest(changelog).forEach((key, bytes) -> stores.put(changelog + " " + key, bytes));
    }
    stores.keySet().removeIf(key -> key.contains("/_partition"));
    return stores;
  }

  /** Runs a command; the output is its result, or its complaint. */
  private static String run(Object command, int expected, String... args) {
    StringWriter out = new StringWriter();
    PrintWriter both = new PrintWriter(out);
    CommandLine line =
        new CommandLine(command)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(both)
            .setErr(both);
    assertThat(line.execute(args)).as("exit code of %s: %s", command, out).isEqualTo(expected);
    return out.toString();
  }

  /** Of the topics as they are now. */
  private static String[] fromKafka(String... more) {
    return Stream.concat(Stream.of(broker.where()), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  @Order(1)
  void historyIsPrintedExportedReplayedAndProven() throws Exception {
    live();
    Path file = exported();
    assertThat(run(new JournalCommand(), 0, fromKafka(table(3).value())))
        .contains("TableRegistered")
        .contains("-> OpenUnit")
        .contains("because: ");
    assertThat(run(new JournalCommand(), 0, fromKafka(table(3).value(), "--output=json")).lines())
        .allMatch(line -> line.startsWith("{\"partition\":"));
    String entry = run(new JournalCommand(), 0, fromKafka(table(3).value(), "--since=40"));
    assertThat(entry.lines().filter(line -> !line.startsWith(" ")))
        .isNotEmpty()
        .allMatch(line -> Integer.parseInt(line.replaceAll("^\\d:(\\d+) .*", "$1")) >= 40);
    run(new JournalCommand(), 0, insert("export", fromKafka(file.toString())));

    for (String[] source : List.of(fromKafka(), new String[] {"--from-file=" + file})) {
      assertThat(run(new ReplayCommand(), 0, source))
          .contains("tables: ", "pools: ")
          .containsPattern("tables: .*, [4-9]\\d states compared, all equal")
          .containsPattern("pools: .*, 2 states compared, all equal");
      assertThat(run(new ReplayCommand(), 0, insert("--verify", source)))
          .doesNotContain("other rules");
      assertThat(run(new CheckCommand(), 0, source)).contains("all hold");
    }
    assertThat(run(new ReplayCommand(), 0, fromKafka("--table", "table-0", "--until=30")))
        .contains("\"table\":\"table-0\"");
  }

  @Test
  @Order(2)
  void plantedFaultsAreFound() throws Exception {
    ExportedLines export = new ExportedLines(exported(), temp);

    assertThat(found(new CheckCommand(), export.cutShort())).contains("cut short");
    assertThat(found(new ReplayCommand(), export.cutShort())).contains("cut short");

    Path hole = export.without(line -> isStep(line) && !line.path("decisions").isEmpty());
    found(new CheckCommand(), hole);
    found(new ReplayCommand(), hole);

    Path otherState =
        export.with(
            line -> line.has("digest"),
            line -> line.replaceAll("\"digest\":\"..", "\"digest\":\"zz"));
    assertThat(found(new ReplayCommand(), otherState)).contains("DIFFERENCE");

    Path undecided =
        export.with(
            line -> isStep(line) && line.at("/avro/decisions").size() == 1, RebuildIT::undecided);
    assertThat(found(new ReplayCommand(), undecided, "--verify")).contains("DIFFERENCE");
  }

  /** The same line without its decisions, for people and for programs. */
  private static String undecided(String line) {
    try {
      ObjectNode node = (ObjectNode) new ObjectMapper().readTree(line);
      node.putArray("decisions");
      ((ObjectNode) node.path("avro")).putArray("decisions");
      return node.toString();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isStep(JsonNode line) {
    return line.path("of").asText().equals("tables") && line.has("event");
  }

  /** What a command says of a file that is wrong. */
  private static String found(Object command, Path file, String... more) {
    return run(command, 1, insert("--from-file=" + file, more));
  }

  /** Where all of history is exported to by the first test. */
  private static Path exported() {
    return temp.resolve("history.jsonl.gz");
  }

  private static String[] insert(String first, String... rest) {
    return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
  }

  @Test
  @Order(3)
  void deletedChangelogsAndStoresComeBackByteForByte() throws Exception {
    Map<String, byte[]> before = stores();
    assertThat(before.keySet()).filteredOn(key -> key.contains("tables-changelog")).hasSize(TABLES);
    assertThat(before.keySet())
        .filteredOn(key -> key.contains("reservation/table-"))
        .hasSizeGreaterThanOrEqualTo(TABLES);
    broker.deleteStores();
    try (Scheduler scheduler = broker.start(RebuildMode.AUTO, heard)) {
      assertThat(scheduler.running()).isTrue();
      assertThat(stores()).usingRecursiveComparison().isEqualTo(before);
      assertThat(heard.of).isGreaterThan(TABLES * ROUNDS);
      assertThat(heard.entries).isEqualTo(heard.of);
      assertThat(heard.missing).isEmpty();
      broker.seal(table(1), "after", 9);
      broker.awaitSent();
      SchedulerOnBroker.await("what comes after", () -> isShown(table(1), "after"));
      SchedulerOnBroker.await("all units assigned", this::isAtRest);
    }
  }

  @Test
  @Order(4)
  void deletedGroupOffsetsFoldNothingTwice() throws Exception {
    Map<String, byte[]> before = stores();
    broker.deleteGroup();
    try (Scheduler scheduler = broker.start(RebuildMode.REFUSE, heard)) {
      assertThat(scheduler.running()).isTrue();
      broker.seal(table(2), "again", 9);
      broker.awaitSent();
      SchedulerOnBroker.await("what comes after", () -> isShown(table(2), "again"));
      SchedulerOnBroker.await("all units assigned", this::isAtRest);
    }
    Map<String, byte[]> after = stores();
    before.keySet().removeIf(key -> key.endsWith("/table-2") || key.contains("pools"));
    after.keySet().retainAll(before.keySet());
    assertThat(after).usingRecursiveComparison().isEqualTo(before);
    assertThat(run(new ReplayCommand(), 0, fromKafka("--verify"))).doesNotContain("DIFFERENCE");
    assertThat(run(new CheckCommand(), 0, fromKafka())).contains("all hold");
  }

  /** Deleted while the scheduler is away, made anew meanwhile, and deleted before its eyes. */
  @Test
  @Order(5)
  void inputThatIsGoneBeforeItIsReadIsAGapInTheJournal() throws Exception {
    String demand = broker.topics.name(Topic.DEMAND);
    String executor = broker.topics.name(Topic.EXECUTOR);
    TopicPartition home = new TopicPartition(demand, HOME);
    long away = end(home);
    broker.seal(atHome(), "lost", 1);
    broker.seal(atHome(), "lost", 2);
    broker.awaitSent();
    deleteBefore(home, away + 2);
    long heartbeats = end(new TopicPartition(executor, 0));
    broker.admin.deleteTopics(List.of(executor)).all().get();
    broker.topics.create(broker.admin, (short) 1);
    while (end(new TopicPartition(executor, 0)) <= heartbeats) { // Its length betrays nothing.
      broker.heartbeat("worker-1", Kind.MERGE_WAL, Kind.OBSERVE);
      broker.awaitSent();
    }
    try (Scheduler scheduler = broker.start(RebuildMode.REFUSE, heard)) {
      assertThat(scheduler.running()).isTrue();
      SchedulerOnBroker.await("both gaps", () -> gaps().size() == 2);
      long running = end(home);
      try (KafkaProducer<byte[], byte[]> other = transactional()) {
        other.send(new ProducerRecord<>(demand, HOME, new byte[0], new byte[0])).get();
        broker.seal(atHome(), "lost", 3);
        broker.seal(atHome(), "lost", 4);
        broker.seal(atHome(), "after", 1);
        broker.awaitSent();
        deleteBefore(home, running + 3); // The open transaction keeps readers from going on.
        other.abortTransaction();
      }
      broker.heartbeat("worker-1", Kind.MERGE_WAL, Kind.OBSERVE);
      SchedulerOnBroker.await("what is left", () -> isShown(atHome(), "after"));
      assertThat(gaps())
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  new Source(demand, HOME, away), new SourceGap(demand, away, away + 2),
                  new Source(demand, HOME, running), new SourceGap(demand, running, running + 3),
                  new Source(executor, 0, heartbeats), new SourceGap(executor, heartbeats, 0)));
      SchedulerOnBroker.await("a heartbeat of the new topic", this::hasHeartbeatAfterItsGap);
      SchedulerOnBroker.await("all units assigned", this::isAtRest);
    }
    assertThat(isShown(atHome(), "lost")).isFalse();
    assertThat(run(new ReplayCommand(), 0, fromKafka("--verify"))).doesNotContain("DIFFERENCE");
    assertThat(run(new CheckCommand(), 0, fromKafka())).contains("all hold", "is missing");
  }

  /** A table of partition {@link #HOME}. */
  private static TableId atHome() {
    return IntStream.range(0, TABLES)
        .mapToObj(RebuildIT::table)
        .filter(table -> Topics.partitionOf(Topics.utf8(table.value()), PARTITIONS) == HOME)
        .findFirst()
        .orElseThrow();
  }

  private static long end(TopicPartition partition) throws Exception {
    return broker
        .admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()))
        .partitionResult(partition)
        .get()
        .offset();
  }

  private static void deleteBefore(TopicPartition partition, long offset) throws Exception {
    broker.admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset))).all().get();
  }

  /** A producer whose transaction is open. */
  private static KafkaProducer<byte[], byte[]> transactional() {
    Map<String, Object> settings = new HashMap<>(broker.client());
    settings.put("transactional.id", "other");
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }

  private Map<Source, SourceGap> gaps() {
    Map<Source, SourceGap> gaps = new HashMap<>();
    for (JournalEntry entry : entries()) {
      if (entry.event() instanceof SourceGap gap && entry.source() != null) {
        assertThat(gaps.put(entry.source(), gap)).as("the gap at %s", entry.source()).isNull();
      }
    }
    return gaps;
  }

  private boolean hasHeartbeatAfterItsGap() {
    boolean isAfter = false;
    for (JournalEntry entry : entries()) {
      if (isAfter && entry.event() instanceof ExecutorHeartbeat) {
        return true;
      }
      isAfter |=
          entry.event() instanceof SourceGap gap
              && gap.topic().equals(broker.topics.name(Topic.EXECUTOR));
    }
    return false;
  }

  private static List<JournalEntry> entries() {
    try {
      return broker.history().stream().map(JournalStep::entry).toList();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Order(6)
  void aJournalWhoseBeginningIsGoneIsBegunWithWhatReadersSawLast() throws Exception {
    Map<String, byte[]> before = stores();
    Map<TopicPartition, RecordsToDelete> beginnings = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      beginnings.put(
          new TopicPartition(broker.topics.name(Topic.JOURNAL), partition),
          RecordsToDelete.beforeOffset(50));
    }
    broker.admin.deleteRecords(beginnings).all().get();
    broker.deleteStores();
    assertThatThrownBy(() -> broker.start(RebuildMode.REFUSE, heard))
        .isInstanceOf(RebuildRefusedException.class)
        .hasMessageContaining("REBUILD_NEEDED")
        .hasMessageContaining("--rebuild=auto");
    try (Scheduler scheduler = broker.start(RebuildMode.AUTO, heard)) {
      assertThat(scheduler.running()).isTrue();
      assertThat(stores()).usingRecursiveComparison().isEqualTo(before);
    }
    assertThat(heard.missing).hasSize(PARTITIONS);
    List<SourceGap> marks =
        broker.history().stream()
            .map(step -> step.entry().event())
            .filter(SourceGap.class::isInstance)
            .map(SourceGap.class::cast)
            .filter(gap -> gap.topic().equals(broker.topics.name(Topic.JOURNAL)))
            .toList();
    assertThat(marks).hasSize(PARTITIONS);
    assertThat(run(new ReplayCommand(), 1, fromKafka())).contains("what came before is gone");
    assertThat(run(new CheckCommand(), 0, fromKafka())).contains("what came before is gone");
  }
}
