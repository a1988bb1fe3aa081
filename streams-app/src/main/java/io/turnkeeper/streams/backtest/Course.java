package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.table.Mode;
import java.util.Locale;

/**
 * How long each part of an attempt took that was published; times in milliseconds.
 *
 * @param claimMillis from being assigned to being claimed
 * @param prepareMillis from the claim to being ready; 0 if it was not prepared outside a turn
 * @param takeMillis from the grant to the turn being taken; 0 for a look without a turn
 * @param workMillis from there to the report of the publication; for a look, from the claim
 * @param releaseMillis from that report to the release
 * @param peakBytes the most memory it used, 0 if not measured
 */
record Course(
    long claimMillis,
    long prepareMillis,
    long takeMillis,
    long workMillis,
    long releaseMillis,
    long peakBytes) {
  private static final long ASSUMED_WORK_MILLIS = 1_000;

  private static final Course ASSUMED = new Course(100, 10_000, 50, ASSUMED_WORK_MILLIS, 100, 0);

  /** What is taken where history has nothing like it. */
  static Course assumed(Mode mode) {
    return mode == Mode.OUTSIDE ? ASSUMED : ASSUMED.inside();
  }

  /** Its times in words, after "it is". */
  String told() {
    return String.format(
        Locale.ROOT,
        "claimed in %d ms, prepared in %d ms, takes its turn in %d ms, holds it for %d ms and is"
            + " released in %d ms",
        claimMillis,
        prepareMillis,
        takeMillis,
        workMillis,
        releaseMillis);
  }

  /** The same work begun before the turn, which is then held for an assumed publication. */
  Course outside() {
    return new Course(
        claimMillis, workMillis, takeMillis, ASSUMED_WORK_MILLIS, releaseMillis, peakBytes);
  }

  /** The same work done wholly within the turn. */
  Course inside() {
    return new Course(
        claimMillis, 0, takeMillis, prepareMillis + workMillis, releaseMillis, peakBytes);
  }
}
