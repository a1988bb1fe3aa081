package io.turnkeeper.core.table;

/** The key indexes Turnkeeper builds. */
public enum IndexType {
  BTREE,
  ZONEMAP
}
