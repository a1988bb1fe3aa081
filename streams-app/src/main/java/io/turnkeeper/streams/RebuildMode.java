package io.turnkeeper.streams;

/** What to do when the stores are not as far as their journals. */
public enum RebuildMode {
  /** Rebuild them, then go on. */
  AUTO,
  /** Stop and say so. */
  REFUSE
}
