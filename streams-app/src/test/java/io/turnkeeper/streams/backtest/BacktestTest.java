package io.turnkeeper.streams.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BacktestTest {
  private static final long SPAN_MILLIS = 700_000;
  private static final long START = RecordedWorld.START_MILLIS;

  private static final RecordedWorld WORLD =
      RecordedWorld.under(mergesInARow(8), true).run(SPAN_MILLIS);

  /** Merges are always urgent, so only the limit lets a ready compaction in. */
  private static PolicyDocument mergesInARow(long most) {
    return PolicyDocument.of(
        draft -> {
          draft.mergeMinGenerations = 1L;
          draft.mergeUrgent = 1L;
          draft.maxConsecutive = new TreeMap<>();
          draft.maxConsecutive.put(Kind.MERGE_WAL, most);
        });
  }

  private static Backtest backtest(History history, PolicyDocument policy) throws Exception {
    return backtest(history, policy, null, null);
  }

  private static Backtest backtest(
      History history, PolicyDocument policy, @Nullable Long from, @Nullable Long until)
      throws Exception {
    return Backtest.of(history, new BacktestOptions(policy, TableId.DEFAULT, from, until));
  }

  @Test
  void theSamePolicyGivesAboutTheTurnsAndWaitsThatHappened() throws Exception {
    Backtest same = backtest(WORLD, mergesInARow(8));
    assertAlike(same, 1_500);
    assertThat(same.happened().of(Kind.MERGE_WAL).turns()).isGreaterThan(50);
    assertThat(same.happened().of(Kind.COMPACT).turns()).isGreaterThan(5);
  }

  private static void assertAlike(Backtest same, long withinMillis) {
    for (Kind kind : Kind.values()) {
      KindFigures happened = same.happened().of(kind);
      KindFigures simulated = same.simulated().of(kind);
      assertThat(simulated.turns()).as("turns of %s", kind).isCloseTo(happened.turns(), within(3L));
      for (double share : new double[] {0.5, 0.99}) {
        assertThat(simulated.waitMillis(share))
            .as("wait of %s", kind)
            .isCloseTo(happened.waitMillis(share), within(withinMillis));
      }
      assertThat(simulated.promotions())
          .as("promotions of %s", kind)
          .isEqualTo(happened.promotions());
    }
  }

  @Test
  void fewerTurnsInARowLetOthersStarveLess() throws Exception {
    Backtest lower = backtest(WORLD, mergesInARow(1));
    KindFigures happened = lower.happened().of(Kind.COMPACT);
    KindFigures simulated = lower.simulated().of(Kind.COMPACT);
    assertThat(happened.longestReadyMillis()).isGreaterThan(40_000);
    assertThat(simulated.longestReadyMillis()).isLessThan(20_000);
    assertThat(simulated.turns()).isGreaterThan(2 * happened.turns());
  }

  @Test
  void aPoolWithoutExecutorsServesNobody() throws Exception {
    Backtest nowhere =
        backtest(WORLD, PolicyDocument.of(draft -> draft.pool = new PoolId("nowhere")));
    for (Kind kind : new Kind[] {Kind.MERGE_WAL, Kind.COMPACT, Kind.REPAIR}) {
      KindFigures simulated = nowhere.simulated().of(kind);
      assertThat(simulated.turns()).isZero();
      assertThat(simulated.unserved()).isOne();
      assertThat(simulated.longestUnservedMillis()).isGreaterThan(SPAN_MILLIS - 20_000);
      assertThat(simulated.open()).endsWith(1, 1, 1);
    }
    assertThat(nowhere.simulated().of(Kind.MERGE_WAL).promotions()).isOne();
    assertThat(nowhere.simulated().pending()).endsWith(701);
    assertThat(nowhere.happened().pending()[Figures.POINTS - 1]).isLessThan(100);
  }

  @Test
  void aPublishTimeoutBelowEveryPublicationPublishesNothing() throws Exception {
    Backtest hasty =
        backtest(
            WORLD,
            PolicyDocument.of(
                draft -> {
                  draft.publishTimeoutMillis = 500L;
                  draft.mergeMinGenerations = 1L;
                }));
    assertThat(hasty.simulated().of(Kind.MERGE_WAL).turns()).isPositive();
    assertThat(hasty.simulated().pending()).endsWith(701);
  }

  @Test
  void aShadowPolicyIsShownToGiveNoTurns() throws Exception {
    Backtest shadow = backtest(WORLD, PolicyDocument.of(draft -> draft.mode = PolicyMode.SHADOW));
    assertThat(shadow.simulated().of(Kind.MERGE_WAL).turns()).isZero();
  }

  @Test
  void whatRanAtTheBeginningGoesOn() throws Exception {
    for (long from = 200_000; from < 212_000; from += 2_900) {
      Backtest second = backtest(WORLD, mergesInARow(8), START + from, null);
      // Work in a turn begins that part again.
      assertAlike(second, 6_000);
      assertThat(second.happened().of(Kind.MERGE_WAL).turns()).isBetween(30L, 100L);
      assertThat(second.simulated().of(Kind.MERGE_WAL).unserved()).isLessThan(2);
    }
  }

  @Test
  void nobodyIsLostWhileNobodySchedules() throws Exception {
    RecordedWorld paused =
        RecordedWorld.under(mergesInARow(8), true).run(60_000).stopped(600_000).run(60_000);
    assertAlike(backtest(paused, mergesInARow(8)), 1_500);
  }

  @Test
  void aKindWithoutSamplesIsAssumedAndSaidSo() throws Exception {
    RecordedWorld merging =
        RecordedWorld.under(
                PolicyDocument.of(
                    draft -> {
                      draft.mergeMinGenerations = 1L;
                      draft.kinds = List.of(Kind.MERGE_WAL, Kind.OBSERVE);
                    }),
                true)
            .run(60_000);
    Backtest all = backtest(merging, mergesInARow(2));
    assertThat(all.simulated().of(Kind.COMPACT).turns()).isPositive();
    assertThat(new BacktestReport(all).notes())
        .anyMatch(
            note ->
                note.startsWith(
                    "COMPACT OUTSIDE: no sample; assumed that it is claimed in 100 ms, prepared in"))
        .noneMatch(note -> note.startsWith("MERGE_WAL"));
  }

  @Test
  void workMovedOutOfTheTurnTakesTheTimeItTookInside() throws Exception {
    RecordedWorld inside = RecordedWorld.under(mergesInARow(8), false).run(120_000);
    Backtest outside =
        backtest(
            inside,
            PolicyDocument.of(
                draft -> {
                  draft.mergeMinGenerations = 1L;
                  draft.prepareCompact = true;
                }));
    assertThat(outside.durations().keySet())
        .anyMatch(
            use ->
                use.work().kind() == Kind.COMPACT
                    && use.basis() == Durations.Basis.OTHER_MODE
                    && use.samples() > 0);
  }

  @Test
  void whatCannotBeRunIsRefusedWithACode() {
    assertRefused("NO_EXECUTORS", RecordedWorld.idle().run(10_000), TableId.DEFAULT, null);
    assertRefused("EMPTY_RANGE", WORLD.only(step -> false), TableId.DEFAULT, null);
    assertRefused("EMPTY_RANGE", WORLD, TableId.DEFAULT, START + SPAN_MILLIS + 1);
    assertRefused("NO_SUCH_TABLE", WORLD, new TableId("unheard-of"), null);
    assertRefused(
        "HISTORY_BROKEN",
        WORLD.only(step -> step.entry().sequence() != 100),
        TableId.DEFAULT,
        null);
    assertRefused(
        "HISTORY_CUT", WORLD.only(step -> step.entry().sequence() > 100), TableId.DEFAULT, null);
  }

  private static void assertRefused(
      String code, History history, TableId replaced, @Nullable Long from) {
    BacktestOptions options = new BacktestOptions(PolicyDocument.EMPTY, replaced, from, null);
    assertThatThrownBy(() -> Backtest.of(history, options))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(code + ": ");
  }
}
