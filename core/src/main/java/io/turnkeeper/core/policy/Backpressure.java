package io.turnkeeper.core.policy;

/** What writers are told of a table's backlog. */
public enum Backpressure {
  /** Nothing. */
  OFF,
  /** The backlog's class, but no delay. */
  METRIC,
  /** The class, and how long to wait before the next batch is admitted. */
  DELAY_ADMISSION
}
