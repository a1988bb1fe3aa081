package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.table.Scenario.OTHER_SHARD;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Backpressure;
import io.turnkeeper.core.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What writers are told, and what readers see at once. */
class AdmissionTest {
  @Test
  void immuneTo04TheClassChangesWithTheVeryEventThatCrossesItsLimit() {
    assertThat(told(Backpressure.METRIC, 255)).isEqualTo(new Admission(Backlog.OK, 0));
    assertThat(told(Backpressure.METRIC, 256)).isEqualTo(new Admission(Backlog.WARN, 0));
    assertThat(told(Backpressure.METRIC, 4_095)).isEqualTo(new Admission(Backlog.WARN, 0));
    assertThat(told(Backpressure.METRIC, 4_096)).isEqualTo(new Admission(Backlog.CRITICAL, 0));
  }

  @Test
  void thePolicySaysWhatWritersAreTold() {
    assertThat(told(Backpressure.OFF, 5_000)).isNull();
    assertThat(told(Backpressure.METRIC, 5_000)).isEqualTo(new Admission(Backlog.CRITICAL, 0));
    assertThat(told(Backpressure.DELAY_ADMISSION, 5_000))
        .isEqualTo(new Admission(Backlog.CRITICAL, 1_000));
  }

  @Test
  void theAdvisedDelayRisesSteadilyBetweenWarnAndCritical() {
    for (long pending = 0; pending < 5_000; pending++) {
      long rise = Backlog.advisedDelayMillis(pending + 1) - Backlog.advisedDelayMillis(pending);
      assertThat(rise).isBetween(0L, 1L);
    }
    assertThat(Backlog.advisedDelayMillis(256)).isZero();
    assertThat(Backlog.advisedDelayMillis(2_176)).as("half way").isEqualTo(500);
    assertThat(Backlog.advisedDelayMillis(4_095)).isEqualTo(999);
    assertThat(Backlog.advisedDelayMillis(4_096)).isEqualTo(1_000);
  }

  @Test
  void aPhaseATurnOrAClassIsNewsAFewGenerationsAreNot() {
    TableState idle = Scenario.prepared().state();
    TableState few = Scenario.prepared().sealed(SHARD, 2).state();
    assertThat(News.between(idle, few)).isFalse();
    TableState requested = Scenario.prepared().sealed(SHARD, 8).state();
    assertThat(News.between(few, requested)).isTrue();
    TableState warned = Scenario.prepared().sealed(SHARD, 8).sealed(OTHER_SHARD, 248).state();
    assertThat(News.between(requested, warned)).isTrue();
    Scenario running = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    TableState told = running.state();
    TableState claimed = running.claimed(MERGE_WAL).state();
    assertThat(News.between(told, claimed)).isTrue();
    assertThat(News.between(claimed, running.progressed(MERGE_WAL, 1).state())).isFalse();
    TableState granted = running.ready(MERGE_WAL).state();
    assertThat(News.between(granted, running.head(1, 0, 0, 0, 9).state())).isTrue();
  }

  private static @Nullable Admission told(Backpressure backpressure, long pending) {
    PolicyDocument defaults = PolicyDocument.of(draft -> draft.backpressure = backpressure);
    TableState state = Scenario.prepared().sealed(SHARD, pending).state();
    return Admission.of(state, new Context(Settings.DEFAULT, defaults, 0));
  }
}
