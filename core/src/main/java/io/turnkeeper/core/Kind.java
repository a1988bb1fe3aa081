package io.turnkeeper.core;

/** The six kinds of maintenance work. */
public enum Kind {
  /** Folds sealed write-ahead-log generations into the table. */
  MERGE_WAL,
  /** Rewrites small fragments into larger ones. */
  COMPACT,
  /** Builds or extends a key index. */
  INDEX,
  /** Drops fragments whose files are gone. */
  REPAIR,
  /** Removes merged generations, abandoned preparations and old versions. */
  RETIRE,
  /** Looks at the table and reports what it needs. */
  OBSERVE
}
