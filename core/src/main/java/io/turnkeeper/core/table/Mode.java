package io.turnkeeper.core.table;

/** When the expensive part of a unit is done. */
public enum Mode {
  /** Before the turn, at a pinned version; the turn is only held to publish. */
  OUTSIDE,
  /** While holding the turn. */
  INSIDE
}
