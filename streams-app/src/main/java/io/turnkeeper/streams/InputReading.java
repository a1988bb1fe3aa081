package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionEvent.SourceGap;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One task's way along its inputs. Kafka's consumer goes on with the oldest record that is left if
 * what it should read was deleted; this finds out what it passed over.
 */
final class InputReading {
  /** Between two records there may be the mark of a transaction, which is no reason to ask. */
  private static final long MARK = 1;

  private final InputLog log;
  private final int partition;
  private final Map<String, Long> next = new HashMap<>();

  /**
   * Records that were gone before they could be read.
   *
   * @param source where the first of them was
   */
  record Missing(Source source, SourceGap event) {
    /** How many there were at most. */
    long records() {
      return Math.max(0, event.toOffset() - event.fromOffset());
    }
  }

  InputReading(InputLog log, int partition) {
    this.log = log;
    this.partition = partition;
  }

  /**
   * What a task begins with.
   *
   * @param topicIds the id of each input topic, by its name
   * @param missing what was gone before it could be read
   */
  record Beginning(SortedMap<String, String> topicIds, List<Missing> missing) {}

  /** What there is when a task begins where {@code state} and the group's offsets end. */
  Beginning begin(PartitionState state) {
    Beginning beginning = new Beginning(new TreeMap<>(), new ArrayList<>());
    log.of(partition)
        .forEach(
            (topic, extent) -> {
              // Refused records and marks have no entry: only the group knows that they were read.
              long known = Math.max(state.nextOffset(topic, partition), extent.committed());
              boolean isThere =
                  state.isOf(topic, extent.topicId())
                      && extent.begin() <= known
                      && known <= extent.end();
              next.put(topic, isThere ? known : extent.begin());
              beginning.topicIds().put(topic, extent.topicId());
              if (!isThere) {
                beginning.missing().add(missing(topic, known, extent.begin()));
              }
            });
    return beginning;
  }

  /** What is missing just before this record, null if nothing is. */
  @Nullable Missing before(Source record) {
    Long expected = next.put(record.topic(), record.offset() + 1);
    if (expected == null || record.offset() - expected <= MARK) {
      return null;
    }
    long begin = log.begin(record.topic(), partition);
    return begin <= expected
        ? null
        : missing(record.topic(), expected, Math.min(begin, record.offset()));
  }

  private Missing missing(String topic, long from, long to) {
    return new Missing(new Source(topic, partition, from), new SourceGap(topic, from, to));
  }
}
