package io.turnkeeper.local.journal;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.events.Topic;
import io.turnkeeper.local.SchedulerOnBroker;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

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

  /** Compares the watermarks and the open units of every table. */
  void agreesWith(SchedulerOnBroker other) {
    SortedMap<String, Long> sealed = new TreeMap<>();
    SortedMap<String, Long> merged = new TreeMap<>();
    Set<String> open = new TreeSet<>();
    other
        .newest(other.topics.name(Topic.TABLE_STATE))
        .values()
        .forEach(
            bytes -> {
              if (decoded(bytes) instanceof TableSnapshot shown) {
                shown
                    .state()
                    .shards()
                    .forEach(
                        (id, shard) -> {
                          String place = shown.state().table() + "/" + id;
                          sealed.put(place, shard.sealedThrough());
                          merged.put(place, shard.mergedThrough());
                        });
                shown.state().units().values().stream()
                    .map(Unit::id)
                    .map(UnitId::toString)
                    .forEach(open::add);
              }
            });
    assertThat(sealed).isEqualTo(sealed());
    assertThat(merged).isEqualTo(merged());
    assertThat(open).doesNotContainAnyElementsOf(published());
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
