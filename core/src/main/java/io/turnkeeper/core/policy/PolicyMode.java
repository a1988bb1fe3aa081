package io.turnkeeper.core.policy;

/** What the scheduler may do with a table. */
public enum PolicyMode {
  /** Everything. */
  ACTIVE,
  /** Merges only, until nothing is pending. */
  DRAIN,
  /** Nothing new. */
  FROZEN,
  /** Decide and record, assign nothing. */
  SHADOW
}
