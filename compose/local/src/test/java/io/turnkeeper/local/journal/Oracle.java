package io.turnkeeper.local.journal;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.Shard;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.Topic;
import io.turnkeeper.local.SchedulerOnBroker;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** What must be true by the input topics alone; it knows nothing of the scheduler's rules. */
final class Oracle {
  private final SchedulerOnBroker broker;

  Oracle(SchedulerOnBroker broker) {
    this.broker = broker;
  }

  /** The newest sealed generation of each shard. */
  private SortedMap<String, Long> sealed() {
    SortedMap<String, Long> sealed = new TreeMap<>();
    read(
        Topic.DEMAND,
        event -> {
          if (event instanceof WalSealed seal) {
            sealed.merge(seal.table() + "/" + seal.shard(), seal.sealedThrough(), Math::max);
          }
        });
    return sealed;
  }

  private SortedMap<String, Long> merged() {
    SortedMap<String, Long> merged = new TreeMap<>();
    read(
        Topic.PUBLISH,
        event -> {
          if (event instanceof UnitPublished done) {
            done.mergedThrough()
                .forEach(
                    (shard, through) ->
                        merged.merge(done.table() + "/" + shard, through, Math::max));
          }
        });
    return merged;
  }

  private Set<String> published() {
    Set<String> units = new TreeSet<>();
    read(
        Topic.PUBLISH,
        event -> {
          if (event instanceof UnitPublished done) {
            assertThat(units.add(done.attempt().unit().toString()))
                .as("%s is published once", done.attempt())
                .isTrue();
          }
        });
    return units;
  }

  /** The shards whose newest sealed generation no publication names yet. */
  Map<String, Long> unmerged() {
    SortedMap<String, Long> merged = merged();
    return sealed().entrySet().stream()
        .filter(shard -> merged.getOrDefault(shard.getKey(), 0L) < shard.getValue())
        .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Whether the scheduler has folded every publication. */
  boolean isFolded() {
    return shown(Shard::mergedThrough).equals(merged());
  }

  /** Compares the watermarks and the open units of every table with what the scheduler shows. */
  void agreesWithTheScheduler() {
    assertThat(shown(Shard::sealedThrough)).isEqualTo(sealed());
    assertThat(shown(Shard::mergedThrough)).isEqualTo(merged());
    assertThat(
            tables()
                .flatMap(table -> table.units().values().stream())
                .map(unit -> unit.id().toString()))
        .doesNotContainAnyElementsOf(published());
  }

  private SortedMap<String, Long> shown(ToLongFunction<Shard> mark) {
    SortedMap<String, Long> shown = new TreeMap<>();
    tables()
        .forEach(
            table ->
                table
                    .shards()
                    .forEach(
                        (id, shard) ->
                            shown.put(table.table() + "/" + id, mark.applyAsLong(shard))));
    return shown;
  }

  private Stream<TableState> tables() {
    return broker.newest(broker.topics.name(Topic.TABLE_STATE)).values().stream()
        .map(this::decoded)
        .filter(TableSnapshot.class::isInstance)
        .map(shown -> ((TableSnapshot) shown).state());
  }

  private void read(Topic topic, Consumer<Object> into) {
    broker.read(broker.topics.name(topic), record -> into.accept(decoded(record.value())));
  }

  private Object decoded(byte[] bytes) {
    try {
      return broker.codec.decode(bytes);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
