package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionEvent.SourceGap;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.events.Topic;
import io.turnkeeper.local.SchedulerOnBroker;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.RebuildRefusedException;
import io.turnkeeper.streams.Scheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator may delete, and what comes back from the journal. */
class RebuildIT {
  private static final int PARTITIONS = 2;
  private static final int TABLES = 20;
  private static final List<String> CHANGELOGS =
      List.of("test-tables-changelog", "test-pools-changelog");

  @TempDir Path temp;
  private SchedulerOnBroker broker;
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

  @BeforeEach
  void start() throws Exception {
    broker = new SchedulerOnBroker(temp, PARTITIONS);
  }

  @AfterEach
  void stop() {
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
      for (int round = 1; round <= 20; round++) {
        broker.heartbeat("worker-1");
        for (int i = 0; i < TABLES; i++) {
          broker.seal(table(i), "s" + round % 3, round);
        }
      }
      broker.seal(table(0), "last", 1);
      broker.awaitSent();
      assertThat(scheduler.running()).isTrue();
      SchedulerOnBroker.await("the last event in table-state", () -> isShown(table(0), "last"));
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
    for (String changelog : CHANGELOGS) {
      broker.newest(changelog).forEach((key, bytes) -> stores.put(changelog + " " + key, bytes));
    }
    stores.keySet().removeIf(key -> key.endsWith("/_partition"));
    return stores;
  }

  private void deleteStores() throws Exception {
    broker.admin.deleteTopics(CHANGELOGS).all().get();
    broker.deleteStateDir();
  }

  @Test
  void deletedChangelogsAndStoresComeBackByteForByte() throws Exception {
    live();
    Map<String, byte[]> before = stores();
    assertThat(before).hasSize(TABLES + 1);
    deleteStores();

    assertThatThrownBy(() -> broker.start(RebuildMode.REFUSE, heard))
        .isInstanceOf(RebuildRefusedException.class)
        .hasMessageContaining("REBUILD_NEEDED")
        .hasMessageContaining("--rebuild=auto");

    try (Scheduler scheduler = broker.start(RebuildMode.AUTO, heard)) {
      assertThat(scheduler.running()).isTrue();
      assertThat(stores()).usingRecursiveComparison().isEqualTo(before);
      assertThat(heard.of).isGreaterThan(TABLES * 20);
      assertThat(heard.entries).isEqualTo(heard.of);
      assertThat(heard.missing).isEmpty();
      broker.seal(table(1), "after", 9);
      broker.awaitSent();
      SchedulerOnBroker.await("what comes after", () -> isShown(table(1), "after"));
    }
    try (Scheduler again = broker.start(RebuildMode.REFUSE, heard)) {
      assertThat(again.running()).isTrue();
    }
  }

  @Test
  void aJournalWhoseBeginningIsGoneIsBegunWithWhatReadersSawLast() throws Exception {
    live();
    Map<String, byte[]> before = stores();
    Map<TopicPartition, RecordsToDelete> beginnings = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      beginnings.put(
          new TopicPartition(broker.topics.name(Topic.JOURNAL), partition),
          RecordsToDelete.beforeOffset(50));
    }
    broker.admin.deleteRecords(beginnings).all().get();
    deleteStores();

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
            .toList();
    assertThat(marks).hasSize(PARTITIONS);
    assertThat(marks)
        .allSatisfy(mark -> assertThat(mark.topic()).isEqualTo(broker.topics.name(Topic.JOURNAL)));
    try (Scheduler again = broker.start(RebuildMode.REFUSE, heard)) {
      assertThat(again.running()).isTrue();
    }
  }
}
