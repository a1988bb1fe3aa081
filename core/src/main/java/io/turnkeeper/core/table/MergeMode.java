package io.turnkeeper.core.table;

/** How the rows of the log enter the table. */
public enum MergeMode {
  /** Every row is added. */
  APPEND,
  /** A row replaces the one with the same key. */
  UPSERT
}
