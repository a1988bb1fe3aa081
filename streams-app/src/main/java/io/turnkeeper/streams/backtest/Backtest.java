package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import java.io.IOException;
import java.util.SortedMap;

/** History under another policy: what really happened beside what would have come of it. */
public final class Backtest {
  private final Recording recording;
  private final BacktestOptions options;
  private final Durations durations;
  private final Figures simulated;

  private Backtest(Recording recording, BacktestOptions options) {
    this.recording = recording;
    this.options = options;
    this.durations = recording.courses.durations();
    this.simulated = new Rerun(recording, durations, options).run();
  }

  /**
   * Runs history again.
   *
   * @throws ConfigException if there is nothing in it to run; the message begins with a code
   */
  public static Backtest of(History history, BacktestOptions options)
      throws ConfigException, InvalidRecordException, IOException {
    return new Backtest(Recording.read(history, options), options);
  }

  BacktestOptions options() {
    return options;
  }

  Span span() {
    return recording.span;
  }

  /** Recorded entries of tables in the span. */
  long entries() {
    return recording.entries;
  }

  /** Those of them that other rules than these decided on. */
  long otherVersions() {
    return recording.otherVersions;
  }

  /** Attempts that failed in history; simulated ones do not. */
  long failed() {
    return recording.courses.failed();
  }

  /** Attempts that found nothing to do in history; simulated ones publish. */
  long foundNothing() {
    return recording.courses.foundNothing();
  }

  /** The executors as they last described themselves. */
  SortedMap<ExecutorId, ExecutorHeartbeat> executors() {
    return recording.executors;
  }

  /** What the durations of simulated attempts rest on, and how many attempts used each. */
  SortedMap<Durations.Use, Long> durations() {
    return durations.uses();
  }

  Figures happened() {
    return recording.happened;
  }

  Figures simulated() {
    return simulated;
  }
}
