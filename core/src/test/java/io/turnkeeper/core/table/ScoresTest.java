package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyDocument;
import org.junit.jupiter.api.Test;

class ScoresTest {
  private static final Policy BY_BYTES =
      Policy.of(PolicyDocument.of(draft -> draft.mergeMinBytes = 1_000L));

  @Test
  void aMergeScoresByItsGenerationsOrBytesAndItsAge() {
    assertThat(Scores.merge(4, 1_000_000, 0, Policy.DEFAULT)).isEqualTo(0.5);
    assertThat(Scores.merge(4, 2_000, 0, BY_BYTES)).isEqualTo(2);
    assertThat(Scores.merge(4, 100, 0, BY_BYTES)).isEqualTo(0.5);
    assertThat(Scores.merge(4, 0, 1_800_000, Policy.DEFAULT)).isEqualTo(0.75);
    assertThat(Scores.merge(4, 0, -1, Policy.DEFAULT)).isEqualTo(0.5);
  }

  @Test
  void aCompactionCountsHalfWhileAMergeIsDue() {
    assertThat(Scores.compact(16, 0.999, Policy.DEFAULT)).isEqualTo(1);
    assertThat(Scores.compact(16, 1, Policy.DEFAULT)).isEqualTo(0.5);
  }

  @Test
  void anAbsentOrDamagedIndexIsWantedAtOnce() {
    assertThat(Scores.index(true, 0, Policy.DEFAULT)).isEqualTo(Scores.NOW);
    assertThat(Scores.index(false, 4, Policy.DEFAULT)).isEqualTo(0.25);
  }

  @Test
  void idleOrFullOfGarbageIsRetired() {
    long week = 7 * 24 * 3_600_000L;
    assertThat(Scores.retire(week - 1, 1L << 30, Policy.DEFAULT)).isZero();
    assertThat(Scores.retire(week, 0, Policy.DEFAULT)).isEqualTo(1);
    assertThat(Scores.retire(0, (1L << 30) + 1, Policy.DEFAULT)).isEqualTo(1);
  }

  @Test
  void ranksChangeOnlyWhenAScoreDoubles() {
    assertThat(Scores.log2(0)).isEqualTo(-64);
    assertThat(Scores.log2(0.5)).isEqualTo(-1);
    assertThat(Scores.log2(1)).isZero();
    assertThat(Scores.log2(1.99)).isZero();
    assertThat(Scores.log2(2)).isEqualTo(1);
    assertThat(Scores.log2(1e300)).isEqualTo(64);
    assertThat(Scores.log2(Scores.NOW)).isEqualTo(64);
  }
}
