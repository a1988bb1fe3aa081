package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.local.SchedulerOnBroker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Fails at a sequence that is missing or comes twice, and at an input that is or does. */
final class JournalOrder implements Consumer<JournalStep> {
  private final String what;
  private final Map<Integer, Long> sequences = new HashMap<>();
  private final Map<TopicPartition, List<Long>> taken = new HashMap<>();

  JournalOrder(String what) {
    this.what = what;
  }

  @Override
  public void accept(JournalStep step) {
    JournalEntry entry = step.entry();
    long before = sequences.getOrDefault(step.partition(), 0L);
    assertThat(entry.sequence())
        .as("%s: the sequence after %s of partition %s", what, before, step.partition())
        .isEqualTo(before + 1);
    sequences.put(step.partition(), entry.sequence());
    Source source = entry.source();
    if (source != null) {
      taken
          .computeIfAbsent(
              new TopicPartition(source.topic(), source.partition()), input -> new ArrayList<>())
          .add(source.offset());
    }
  }

  /**
   * Compares the inputs taken with the records there are, up to the last that was taken. Offsets
   * alone would not tell: a probe of the scheduler's own leaves the mark of its transaction.
   */
  void requireAllInputs(SchedulerOnBroker broker) {
    taken.forEach(
        (input, offsets) -> {
          long last = offsets.get(offsets.size() - 1);
          List<Long> there = new ArrayList<>();
          broker.read(input, record -> there.add(record.offset()));
          there.removeIf(offset -> offset > last);
          assertThat(offsets).as("%s: inputs of %s", what, input).isEqualTo(there);
        });
  }
}
