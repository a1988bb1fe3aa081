package io.turnkeeper.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskClockTest {
  private static final long START = 1_800_000_000_000L;
  private long wall = START;
  private long nanos = 5;

  @Test
  void runsWithTheMonotonicClock() {
    TaskClock clock = new TaskClock(0, () -> wall, () -> nanos);
    pass(10_000);
    assertThat(clock.millis()).isEqualTo(START + 10_000);
    assertThat(clock.gapMillis()).isZero();
  }

  @Test
  void countsOnlyWhatPassedSinceItWasReadLast() {
    TaskClock clock = new TaskClock(0, () -> wall, () -> nanos);
    pass(10_000);
    assertThat(clock.millis()).isEqualTo(START + 10_000);
    wall += 3_600_000;
    pass(1_000);
    assertThat(clock.millis()).isEqualTo(START + 11_100);
  }

  @Test
  void neverGoesBackWhenTheWallClockDoes() {
    TaskClock clock = new TaskClock(0, () -> wall, () -> nanos);
    wall -= 3_600_000;
    pass(1_000);
    assertThat(clock.millis()).isBetween(START + 900, START + 1_000);
  }

  @Test
  void isDrawnSlowlyTowardsAWallClockThatJumpedAhead() {
    TaskClock clock = new TaskClock(0, () -> wall, () -> nanos);
    wall += 3_600_000;
    pass(10_000);
    assertThat(clock.millis()).isEqualTo(START + 11_000);
  }

  @Test
  void takesALargeDifferenceOverWhenItStarts() {
    TaskClock ahead = new TaskClock(START - 600_000, () -> wall, () -> nanos);
    assertThat(ahead.gapMillis()).isEqualTo(600_000);
    assertThat(ahead.millis()).isEqualTo(START);
    TaskClock behind = new TaskClock(START + 600_000, () -> wall, () -> nanos);
    assertThat(behind.gapMillis()).isEqualTo(-600_000);
    assertThat(behind.millis()).isEqualTo(START + 600_000);
  }

  @Test
  void lessThanASecondIsNoGap() {
    assertThat(new TaskClock(START - 999, () -> wall, () -> nanos).gapMillis()).isZero();
    assertThat(new TaskClock(START + 999, () -> wall, () -> nanos).gapMillis()).isZero();
    assertThat(new TaskClock(START - 1_000, () -> wall, () -> nanos).gapMillis()).isEqualTo(1_000);
  }

  private void pass(long millis) {
    wall += millis;
    nanos += millis * 1_000_000;
  }
}
