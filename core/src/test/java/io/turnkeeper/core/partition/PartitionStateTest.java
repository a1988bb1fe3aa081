package io.turnkeeper.core.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionEvent.ClockGap;
import io.turnkeeper.core.partition.PartitionEvent.SettingsApplied;
import io.turnkeeper.core.partition.PartitionEvent.SourceGap;
import io.turnkeeper.core.partition.PartitionEvent.Tick;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.PolicyEvent.PolicyCleared;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartitionStateTest {
  private static final long START = 1_800_000_000_000L;
  private static final PolicyDocument DOCUMENT = PolicyDocument.of(draft -> draft.mergeUrgent = 7L);

  private PartitionState state = PartitionState.START;

  @Test
  void observedTimeCountsOnlyWhatWasObserved() {
    entry(START, new SettingsApplied(Settings.DEFAULT, FrozenMap.of()));
    entry(START + 10_000, new Tick());
    assertThat(state.observedMillis()).isEqualTo(10_000);
    entry(START + 45_000, new Tick());
    assertThat(state.observedMillis()).as("a gap of more than 30 s adds nothing").isEqualTo(10_000);
    entry(START + 65_000, new SettingsApplied(Settings.DEFAULT, FrozenMap.of()));
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

  @Test
  void theLongestStepThatIsObservedIsHalfAMinute() {
    entry(START, new Tick());
    assertThat(state.observedMillis()).as("nothing was observed before the first").isZero();
    entry(START + 30_000, new Tick());
    assertThat(state.observedMillis()).isEqualTo(30_000);
    entry(START + 60_001, new Tick());
    assertThat(state.observedMillis()).isEqualTo(30_000);
  }

  @Test
  void twoEntriesMayHaveOneTimeButNoneGoesBack() {
    entry(START, new Tick());
    entry(START, new Tick());
    assertThat(state.sequence()).isEqualTo(2);
    assertThatThrownBy(() -> entry(START - 1, new Tick()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("expected entry 3");
  }

  @Test
  void aChangeOfTheDefaultPolicyIsCountedAndHolds() {
    entry(START, new PolicySet(TableId.DEFAULT, DOCUMENT, "ana", "cheaper"));
    assertThat(state.defaults()).isEqualTo(DOCUMENT);
    entry(START, new PolicySet(new TableId("flights"), PolicyDocument.EMPTY, "ana", "own"));
    entry(START, new PolicyCleared(new TableId("flights"), "ana", "own"));
    entry(START, new Tick());
    assertThat(state.defaults()).isEqualTo(DOCUMENT);
    assertThat(state.defaultsVersion()).isEqualTo(1);
    entry(START, new PolicyCleared(TableId.DEFAULT, "ana", "as before"));
    assertThat(state.defaults()).isEqualTo(PolicyDocument.EMPTY);
    assertThat(state.defaultsVersion()).isEqualTo(2);
  }

  @Test
  void aGapInTheInputIsRemembered() {
    entry(START, new Tick());
    assertThat(state.gapAtMillis()).isZero();
    entry(START + 1, new SourceGap("demand", 10, 20));
    entry(START + 2, new Tick());
    assertThat(state.gapAtMillis()).isEqualTo(START + 1);
  }

  @Test
  void readingGoesOnBehindAGap() {
    gap(new SourceGap("demand", 10, 20));
    assertThat(state.nextOffset("demand", 3)).isEqualTo(20);
    assertThat(state.hasTaken(new Source("demand", 3, 19))).isTrue();
    assertThat(state.hasTaken(new Source("demand", 3, 20))).isFalse();
  }

  @Test
  void aTopicThatWasMadeAnewIsReadFromItsBeginning() {
    gap(new SourceGap("demand", 10, 0));
    assertThat(state.hasTaken(new Source("demand", 3, 0))).isFalse();
  }

  @Test
  void offsetsAreOfTheTopicsThatTheTaskStartedWith() {
    assertThat(state.isOf("demand", "one")).as("nothing is known yet").isTrue();
    entry(START, started("one"));
    entry(START + 1, new Tick());
    assertThat(state.isOf("demand", "one")).isTrue();
    assertThat(state.isOf("demand", "two")).isFalse();
    entry(START + 2, started("two"));
    assertThat(state.isOf("demand", "two")).isTrue();
  }

  @Test
  void anEntryThatChangesNothingElseIsProgress() {
    entry(START, started("one"));
    assertThat(isProgress(new Tick())).isTrue();
    assertThat(isProgress(started("one"))).as("the same once more").isTrue();
    assertThat(isProgress(started("two"))).isFalse();
    Settings others = Settings.DEFAULT.preparing(List.of("flights"), List.of());
    assertThat(isProgress(new SettingsApplied(others, state.topicIds()))).isFalse();
    assertThat(isProgress(new SourceGap("demand", 10, 20))).isFalse();
    assertThat(isProgress(new PolicySet(TableId.DEFAULT, DOCUMENT, "ana", "cheaper"))).isFalse();
    assertThat(isProgress(new PolicySet(TableId.DEFAULT, DOCUMENT, "ana", "again"))).isFalse();
  }

  private boolean isProgress(Event event) {
    PartitionState before = state;
    entry(START + before.sequence(), event);
    return state.differsInProgressOnly(before);
  }

  private static SettingsApplied started(String topicId) {
    return new SettingsApplied(
        Settings.DEFAULT, FrozenMap.copyOf(new TreeMap<>(Map.of("demand", topicId))));
  }

  private void gap(SourceGap gap) {
    Source source = new Source("demand", 3, gap.fromOffset());
    state = state.after(new JournalEntry(state.sequence() + 1, START, source, gap));
  }

  private void entry(long atMillis, Event event) {
    @Nullable Source none = null;
    state = state.after(new JournalEntry(state.sequence() + 1, atMillis, none, event));
  }
}
