package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How long each class of failure waits, and when somebody should look. */
class FailureTest {
  private static final long AT = 1_800_000_000_000L;

  @Test
  void whatIsStaleOrMayPassIsTriedAgainSoonThenRarely() {
    List<Long> seconds = List.of(2L, 2L, 30L, 60L, 120L, 240L, 480L, 900L, 900L);
    assertThat(secondsOf("STALE_PREPARATION", 9)).isEqualTo(seconds);
    assertThat(secondsOf("IO", 9)).isEqualTo(seconds);
    assertThat(secondsOf("NOTHING_TO_DO", 9)).isEqualTo(seconds);
    assertThat(secondsOf("IO", 40)).last().isEqualTo(900L);
  }

  @Test
  void anUnknownOutcomeIsAskedForAgainWithinMinutes() {
    assertThat(secondsOf("OUTCOME_UNKNOWN", 6)).containsExactly(30L, 60L, 120L, 240L, 300L, 300L);
  }

  @Test
  void whatWillNotMendItselfIsTriedHourly() {
    assertThat(secondsOf("CORRUPT_FILE", 2)).containsExactly(3_600L, 3_600L);
    assertThat(secondsOf("PERMISSION_DENIED", 2)).containsExactly(3_600L, 3_600L);
  }

  @Test
  void whoShouldLookIsSaidAtOnceOrAfterFifteenAttempts() {
    assertThat(attentionFrom("IO")).isEqualTo(15);
    assertThat(attentionFrom("OUTCOME_UNKNOWN")).isEqualTo(1);
    assertThat(attentionFrom("CORRUPT_FILE")).isEqualTo(1);
    assertThat(attentionFrom("UNSAFE_TABLE")).isEqualTo(1);
    assertThat(attentionFrom("FROM_TOMORROW")).isEqualTo(1);
    assertThat(attentionFrom("CONFLICT")).isZero();
    assertThat(attentionFrom("NOTHING_TO_DO")).isZero();
  }

  @Test
  void everyCodeIsKnownByItsName() {
    for (FailureCode code : FailureCode.values()) {
      assertThat(FailureCode.of(code.name())).isEqualTo(code);
    }
    assertThat(FailureCode.of("FROM_TOMORROW")).isEqualTo(FailureCode.UNKNOWN);
  }

  @Test
  void theFirstTimeIsKeptAndTheMessageIsCut() {
    Failure first = Failure.after(null, "IO", "x".repeat(600), AT);
    Failure second = Failure.after(first, "TIMEOUT", "again", AT + 5);
    assertThat(first.message()).hasSize(512);
    assertThat(second.firstAtMillis()).isEqualTo(AT);
    assertThat(second.lastAtMillis()).isEqualTo(AT + 5);
    assertThat(second.attempts()).isEqualTo(2);
  }

  @Test
  void itIsDueFromItsTimeOnAndSoonerIfNeeded() {
    Failure failure = Failure.after(null, "CORRUPT_FILE", "bits", AT);
    assertThat(failure.isDue(AT + 3_599_999)).isFalse();
    assertThat(failure.isDue(AT + 3_600_000)).isTrue();
    assertThat(failure.dueBy(30_000).nextRetryMillis()).isEqualTo(AT + 30_000);
    assertThat(Failure.after(null, "IO", "", AT).dueBy(30_000).nextRetryMillis())
        .isEqualTo(AT + 2_000);
  }

  @Test
  void onlyAMissingFileOfTheTableIsMendedByARepair() {
    Failure missing = Failure.after(null, "MISSING_FILE", "gone", AT);
    assertThat(Failure.isMendedByRepair(Failure.key(Kind.COMPACT), missing)).isTrue();
    assertThat(Failure.isMendedByRepair(Failure.key(Kind.INDEX), missing)).isTrue();
    assertThat(Failure.isMendedByRepair(Failure.key(Kind.MERGE_WAL), missing)).isFalse();
    assertThat(
            Failure.isMendedByRepair(Failure.key(Kind.MERGE_WAL, new ShardId("COMPACT")), missing))
        .isFalse();
    Failure other = Failure.after(null, "IO", "slow", AT);
    assertThat(Failure.isMendedByRepair(Failure.key(Kind.COMPACT), other)).isFalse();
  }

  @Test
  void aConflictIsAStalePreparationALostTurnIsNot() {
    assertThat(Failure.after(null, "CONFLICT", "", AT).isStalePreparation()).isTrue();
    assertThat(Failure.after(null, "STALE_PREPARATION", "", AT).isStalePreparation()).isTrue();
    assertThat(Failure.after(null, "STALE_TURN", "", AT).isStalePreparation()).isFalse();
  }

  private static List<Long> secondsOf(String code, int attempts) {
    List<Long> seconds = new ArrayList<>();
    for (Failure failure : row(code, attempts)) {
      seconds.add((failure.nextRetryMillis() - AT) / 1_000);
    }
    return seconds;
  }

  /** The first attempt that needs attention, 0 if none of the first twenty does. */
  private static int attentionFrom(String code) {
    return row(code, 20).stream()
        .filter(Failure::attention)
        .mapToInt(Failure::attempts)
        .findFirst()
        .orElse(0);
  }

  private static List<Failure> row(String code, int attempts) {
    List<Failure> row = new ArrayList<>();
    @Nullable Failure failure = null;
    for (int attempt = 0; attempt < attempts; attempt++) {
      failure = Failure.after(failure, code, "because", AT);
      row.add(failure);
    }
    return row;
  }
}
