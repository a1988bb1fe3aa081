package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.Kind.RETIRE;
import static io.turnkeeper.core.table.Scenario.OTHER_SHARD;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.START_MILLIS;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyDraft;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** When a table wants to be looked at although nothing happens: in time, and not sooner. */
class TimersTest {
  private static final long HOUR = 3_600_000;
  private static final long WEEK = 7 * 24 * HOUR;

  @Test
  void aTableNobodyRegisteredWantsNothing() {
    Scenario scenario = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY).sealed(SHARD, 100);
    assertThat(scenario.nextDueMillis()).isEqualTo(Timers.NEVER);
  }

  @Test
  void aQuietTableIsLookedAtAgain() {
    assertDueIn(Scenario.prepared(), HOUR);
  }

  @Test
  void aTableThatChangedIsLookedAtSooner() {
    assertDueIn(Scenario.prepared().sealed(SHARD, 1), 300_000);
    assertDueIn(Scenario.prepared().head(2, 1, 99, 1, 1), 300_000);
    assertDueIn(Scenario.prepared().head(1, 1, 99, 1, 1), HOUR);
  }

  @Test
  void whileALookIsUnderWayNoOtherIsWaitedFor() {
    Scenario scenario = Scenario.prepared().after(HOUR).placed(OBSERVE).claimed(OBSERVE);
    assertThat(scenario.unit(OBSERVE).phase()).isEqualTo(Unit.Phase.PREPARING);
    assertSilentFor(scenario, 600_000);
  }

  @Test
  void aTableThatIsNotWrittenToIsRetiredInTime() {
    Scenario scenario = unobserved().looked(2, 0, 0, START_MILLIS);
    assertDueIn(scenario, WEEK);
    scenario.after(WEEK - 1).expectNothing().after(1).expectOpened(RETIRE, Mode.INSIDE);
    assertThat(scenario.nextDueMillis()).isEqualTo(scenario.atMillis() + HOUR);
  }

  @Test
  void aTailIsMergedWhenItIsOfAge() {
    assertDueIn(unobserved().sealed(SHARD, 1), HOUR);
    assertDueIn(unobserved().sealed(SHARD, 6), HOUR);
    assertDueIn(unobserved().sealed(SHARD, 1).after(1_000).sealed(OTHER_SHARD, 1), HOUR - 1_000);
  }

  @Test
  void aTailOfKnownAgeIsMergedWhenItsScoreReachesOne() {
    Scenario scenario = unobserved().sealed(SHARD, 1).sealed(SHARD, 6);
    assertDueIn(scenario, 1_200_001); // 6/8 · (1 + 1/3) = 1
    scenario.after(1_200_001).expectOpened(MERGE_WAL, Mode.OUTSIDE);
    assertDueIn(unobserved().sealed(SHARD, 1).after(700_000).sealed(SHARD, 6), 500_001);
  }

  @Test
  void aMergeThatRunsWaitsForNoTail() {
    Scenario scenario = unobserved().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.sealed(SHARD, 9).given(released(scenario));
    assertDueIn(scenario, 2_000);
  }

  @Test
  void aWaitingUnitIsPromotedInTime() {
    Scenario scenario = unobserved().sealed(SHARD, 8);
    assertDueIn(scenario, 600_000);
    assertDueIn(unobserved().observed(2, 20, 10), 900_000);
  }

  @Test
  void aFailureIsTriedAgainInTime() {
    Scenario scenario = unobserved().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    assertDueIn(scenario.failed(MERGE_WAL, "IO"), 2_000);
    scenario.after(2_000).expectOpened(MERGE_WAL, Mode.OUTSIDE);
    Scenario data = unobserved().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    assertDueIn(data.failed(MERGE_WAL, "CORRUPT_FILE"), HOUR);
  }

  @Test
  void findingOutIsTriedAgainSoonerThanItsFailureSays() {
    Scenario scenario = unobserved().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.executorRestarted().placed(OBSERVE).claimed(OBSERVE).failed(OBSERVE, "CORRUPT_FILE");
    assertDueIn(scenario, 30_000);
  }

  @Test
  void anIntervalEndsInTime() {
    Scenario scenario =
        unobserved(
            document -> document.minIntervalMillis = new TreeMap<>(Map.of(MERGE_WAL, 90_000L)));
    scenario.sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    scenario.after(1_000).sealed(SHARD, 16);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    assertDueIn(scenario, 89_000);
    scenario.after(89_000).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void everySilenceIsCheckedInTimeAndOnce() {
    Scenario scenario = unobserved().sealed(SHARD, 8).placed(MERGE_WAL);
    assertSilentFor(scenario, 30_000);
    assertDueIn(scenario.after(1), 570_000); // Until the probe is back only promotion is left.
    assertDueIn(scenario.claimed(MERGE_WAL), 10_000);
    assertDueIn(scenario.ready(MERGE_WAL), 5_000);
    assertSilentFor(scenario.taken(MERGE_WAL), 60_000);
  }

  @Test
  void timeThatWasNotObservedMakesTheTimerRingEarlyNotLate() {
    Scenario scenario = unobserved().sealed(SHARD, 8).placed(MERGE_WAL).afterDowntime(10_000);
    assertDueIn(scenario, 10_000);
    assertSilentFor(scenario, 30_000);
  }

  @Test
  void workInsideIsWaitedForAsLongAsItProgresses() {
    Scenario scenario = unobserved().observed(2, 20, 10);
    scenario.placed(COMPACT).claimed(COMPACT);
    assertDueIn(scenario, 5_000);
    scenario.taken(COMPACT).after(400_000).progressed(COMPACT, 1).after(495_000);
    assertDueIn(scenario, 5_000); // Promotion; the work may be silent for 600 s.
    assertThat(scenario.whyNot(INDEX)).isInstanceOf(WhyNot.NoDemand.class);
  }

  private static void assertDueIn(Scenario scenario, long millis) {
    assertThat(scenario.nextDueMillis() - scenario.atMillis()).isEqualTo(millis);
  }

  /** Observed time passes with entries only, so the table is looked at while it is waited for. */
  private static void assertSilentFor(Scenario scenario, long limitMillis) {
    long left = limitMillis;
    while (left > 10_000) {
      assertDueIn(scenario, 10_000);
      scenario.after(10_000).expectNothing();
      left -= 10_000;
    }
    assertDueIn(scenario, left);
    scenario.after(left - 1).expectNothing();
    assertDueIn(scenario, 1);
  }

  private static ClaimEvent released(Scenario scenario) {
    return new ClaimEvent.UnitReleased(scenario.attempt(MERGE_WAL), 0);
  }

  private static Scenario unobserved() {
    return unobserved(document -> {});
  }

  /** A table that is not looked at again while anything else is waited for. */
  private static Scenario unobserved(Consumer<PolicyDraft> more) {
    PolicyDocument document =
        PolicyDocument.of(
            draft -> {
              draft.observeAfterMillis = 10 * WEEK;
              draft.observeRescanAfterMillis = 10 * WEEK;
              more.accept(draft);
            });
    return Scenario.plain().given(new PolicyEvent.PolicySet(TABLE, document, "operator", "test"));
  }
}
