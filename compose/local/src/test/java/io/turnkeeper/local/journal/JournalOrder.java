package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.events.JournalStep;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Fails at a sequence that is missing or comes twice, and at an input that is or does. */
final class JournalOrder implements Consumer<JournalStep> {
  private final String what;
  private final Map<Integer, Long> sequences = new HashMap<>();
  private final Map<String, Long> offsets = new HashMap<>();

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
    if (entry.source() != null) {
      taken(entry.source());
    }
  }

  private void taken(Source source) {
    String place = source.topic() + "-" + source.partition();
    long before = offsets.getOrDefault(place, -1L);
    // What the scheduler writes to itself has the marks of its transactions in between.
    boolean isItsOwn = source.topic().endsWith("placement") || source.topic().endsWith("inbox");
    if (isItsOwn) {
      assertThat(source.offset()).as("%s: input of %s", what, place).isGreaterThan(before);
    } else {
      assertThat(source.offset()).as("%s: input of %s", what, place).isEqualTo(before + 1);
    }
    offsets.put(place, source.offset());
  }
}
