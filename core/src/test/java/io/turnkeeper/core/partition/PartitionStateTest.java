package io.turnkeeper.core.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.PartitionEvent.ClockGap;
import io.turnkeeper.core.partition.PartitionEvent.SettingsApplied;
import io.turnkeeper.core.partition.PartitionEvent.Tick;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionStateTest {
  private static final long START = 1_800_000_000_000L;
  private PartitionState state = PartitionState.START;

  @Test
  void observedTimeCountsOnlyWhatWasObserved() {
    entry(START, new SettingsApplied(Settings.DEFAULT));
    entry(START + 10_000, new Tick());
    assertThat(state.observedMillis()).isEqualTo(10_000);
    entry(START + 45_000, new Tick());
    assertThat(state.observedMillis()).as("a gap of more than 30 s adds nothing").isEqualTo(10_000);
    entry(START + 65_000, new SettingsApplied(Settings.DEFAULT));
    assertThat(state.observedMillis()).as("a start adds nothing").isEqualTo(10_000);
    entry(START + 66_000, new ClockGap(1_000));
    assertThat(state.observedMillis()).isEqualTo(10_000);
  }

  @Test
  void anInputIsTakenOnce() {
    Source source = new Source("demand", 3, 41);
    assertThat(state.hasTaken(source)).isFalse();
    state = state.after(new JournalEntry(1, START, source, new Tick()));
    assertThat(state.hasTaken(source)).isTrue();
    assertThat(state.hasTaken(new Source("demand", 3, 42))).isFalse();
    assertThat(state.hasTaken(new Source("demand", 4, 41))).isFalse();
  }

  @Test
  void aHoleInTheJournalIsABug() {
    assertThatThrownBy(() -> state.after(new JournalEntry(2, START, null, new Tick())))
        .isInstanceOf(IllegalStateException.class);
  }

  private void entry(long atMillis, Event event) {
    @Nullable Source none = null;
    state = state.after(new JournalEntry(state.sequence() + 1, atMillis, none, event));
  }
}
