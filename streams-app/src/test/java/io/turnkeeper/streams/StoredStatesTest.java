package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent.SettingsApplied;
import io.turnkeeper.core.partition.PartitionEvent.SourceGap;
import io.turnkeeper.core.partition.PartitionEvent.Tick;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.InboxEvent.PlacementWithdrawn;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.RecordCodec;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoredStatesTest {
  private static final PoolId POOL = new PoolId("default");
  private static final ExecutorId EXECUTOR = new ExecutorId("worker-1");
  private static final Now NOW = new Now(1_000, 1_000);

  private static final SortedMap<String, String> IDS =
      new TreeMap<>(Map.of("turnkeeper.demand", "Zm9vYmFyYmF6cXV4MTIzNA"));

  private final RecordCodec codec = new RecordCodec();
  private KeyValueStore<byte[], byte[]> store;

  @BeforeEach
  void openStore() {
    MockProcessorContext<Void, Void> context = new MockProcessorContext<>();
    store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("states"), Serdes.ByteArray(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(context.getStateStoreContext(), store);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void aTaskThatBeginsAnewReadsEachStateOfAPoolAsItWasWritten() {
    StoredStates<PoolState> states = pools();
    PoolState state = PoolState.empty(POOL);
    for (PoolEvent event :
        List.of(
            requested(1), heartbeat(), requested(2), requested(2), requested(3), withdrawn(3))) {
      state = kept(states, event.applyTo(state, NOW));
    }
    Attempt placed = new Attempt(unit(1), 1, EXECUTOR, 7);
    state = kept(states, new PlaceUnit(POOL, placed, 100).applyTo(state, NOW));
    state = kept(states, new ReservationEnded(POOL, unit(1), 1).applyTo(state, NOW));
    state = kept(states, new ExecutorGone(POOL, EXECUTOR, 7).applyTo(state, NOW));
    assertThat(state.executors()).isEmpty();
    assertThat(state.requests()).hasSize(1);
  }

  @Test
  void anEventOfAPoolWritesWhatItIsAboutHoweverManyWait() {
    StoredStates<PoolState> states = pools();
    PoolState state = waiting(1_000);
    states.put("default", state);
    SortedMap<String, String> before = content();
    states.put("default", requested(1_001).applyTo(state, NOW));
    SortedMap<String, String> after = content();
    after.entrySet().removeAll(before.entrySet());
    assertThat(after).hasSize(1);
  }

  @Test
  void aPoolThatAnEarlierVersionKeptWholeIsDividedWhenItIsRead() {
    PoolState state = waiting(3);
    store.put("default".getBytes(UTF_8), codec.encode(state));
    StoredStates<PoolState> states = pools();
    assertThat(states.get("default")).isEqualTo(state);
    kept(states, withdrawn(1).applyTo(state, NOW));
  }

  @Test
  void poolsOfLikeNamesKeepApart() {
    StoredStates<PoolState> states = pools();
    for (String pool : List.of("a", "a-b", "a.b", "ab")) {
      states.put(
          pool,
          new PlacementRequested(new PoolId(pool), unit(1), 1, Kind.INDEX, 1, 1, 1, 1)
              .applyTo(PoolState.empty(new PoolId(pool)), NOW));
    }
    StoredStates<PoolState> again = pools();
    assertThat(again.keys()).containsExactly("a", "a-b", "a.b", "ab");
    for (String pool : again.keys()) {
      PoolState read = Objects.requireNonNull(again.get(pool));
      assertThat(read.pool()).isEqualTo(new PoolId(pool));
      assertThat(read.requests()).hasSize(1);
    }
  }

  @Test
  void partsWithoutTheirPoolAreSaid() {
    StoredStates<PoolState> states = pools();
    states.put("default", waiting(1));
    store.delete("default".getBytes(UTF_8));
    assertThatThrownBy(() -> pools().get("default"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("'default'");
  }

  @Test
  void aTableIsReadFromTheStoreByATaskThatBeginsAnew() {
    StoredStates<TableState> states = tables();
    TableState table = TableState.unknown(new TableId("t"));
    assertThat(states.get("t")).isNull();
    states.put("t", table);
    assertThat(tables().get("t")).isEqualTo(table);
    assertThat(states.bytes("t")).isEqualTo(codec.encode(table));
  }

  @Test
  void anEntryOfAPartitionWritesHowFarItIsAndNothingElse() {
    StoredStates<TableState> states = tables();
    PartitionState state = after(PartitionState.START, new SettingsApplied(Settings.DEFAULT, IDS));
    states.putPartition(state);
    SortedMap<String, String> before = content();
    states.putPartition(after(state, new Tick()));
    SortedMap<String, String> after = content();
    after.entrySet().removeAll(before.entrySet());
    assertThat(after).hasSize(1);
    int bytes = Objects.requireNonNull(after.get("_partition")).length() / 2;
    assertThat(bytes).isLessThan(64);
    assertThat(tables().keys()).as("a partition is no table").isEmpty();
  }

  @Test
  void aTaskThatBeginsAnewReadsAPartitionAsItWasAfterEachEntry() {
    PartitionState state = PartitionState.START;
    StoredStates<TableState> states = tables();
    assertThat(states.partition()).isEqualTo(state);
    Settings others = Settings.DEFAULT.preparing(List.of("*"), List.of());
    PolicyDocument document = PolicyDocument.of(draft -> draft.mergeUrgent = 7L);
    for (Event event :
        List.of(
            new SettingsApplied(Settings.DEFAULT, IDS),
            new Tick(),
            new PolicySet(TableId.DEFAULT, document, "operator", "test"),
            new Tick(),
            new SourceGap("demand", 3, 7),
            new SettingsApplied(others, IDS),
            new SettingsApplied(others, FrozenMap.of()),
            new Tick())) {
      state = after(state, event);
      states.putPartition(state);
      assertThat(tables().partition()).as("after %s", event).isEqualTo(state);
    }
    assertThat(state.defaults()).isEqualTo(document);
  }

  @Test
  void aPartitionThatAnEarlierVersionKeptWholeIsDividedAtItsNextEntry() {
    PartitionState state = after(PartitionState.START, new SettingsApplied(Settings.DEFAULT, IDS));
    store.put("_partition".getBytes(UTF_8), codec.encode(state));
    StoredStates<TableState> states = tables();
    assertThat(states.partition()).isEqualTo(state);
    PartitionState next = after(state, new Tick());
    states.putPartition(next);
    assertThat(tables().partition()).isEqualTo(next);
    assertThat(content()).hasSize(2);
  }

  @Test
  void progressWithoutTheRestOfItsPartitionIsSaid() {
    StoredStates<TableState> states = tables();
    states.putPartition(after(PartitionState.START, new Tick()));
    store.delete(PartitionLayout.REST_KEY.getBytes(UTF_8));
    assertThatThrownBy(() -> tables().partition())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without its rest");
  }

  private static PartitionState after(PartitionState before, Event event) {
    long sequence = before.sequence() + 1;
    Source source = new Source("turnkeeper.demand", 3, sequence);
    return before.after(new JournalEntry(sequence, 1_000 * sequence, source, event));
  }

  private PoolState kept(StoredStates<PoolState> states, PoolState state) {
    states.put("default", state);
    assertThat(pools().get("default")).isEqualTo(state);
    return state;
  }

  private StoredStates<PoolState> pools() {
    return new StoredStates<>(store, codec, new PoolLayout());
  }

  private StoredStates<TableState> tables() {
    return new StoredStates<>(store, codec, new TableSubject().layout());
  }

  private SortedMap<String, String> content() {
    SortedMap<String, String> content = new TreeMap<>();
    try (KeyValueIterator<byte[], byte[]> all = store.all()) {
      all.forEachRemaining(
          entry ->
              content.put(new String(entry.key, UTF_8), HexFormat.of().formatHex(entry.value)));
    }
    return content;
  }

  private static PoolState waiting(int units) {
    PoolState state = PoolState.empty(POOL);
    for (int unit = 1; unit <= units; unit++) {
      state = requested(unit).applyTo(state, NOW);
    }
    return state;
  }

  private static PlacementRequested requested(int unit) {
    return new PlacementRequested(POOL, unit(unit), 1, Kind.MERGE_WAL, 1, 1, 1_000, 1 << 20);
  }

  private static PlacementWithdrawn withdrawn(int unit) {
    return new PlacementWithdrawn(POOL, unit(unit), 1);
  }

  private static ExecutorHeartbeat heartbeat() {
    return new ExecutorHeartbeat(
        POOL,
        EXECUTOR,
        7,
        new TreeMap<>(Map.of(Kind.MERGE_WAL, 3)),
        1L << 30,
        false,
        "test",
        new TreeMap<>(),
        List.of());
  }

  private static UnitId unit(int number) {
    return new UnitId(new TableId("team/table " + number), number);
  }
}
