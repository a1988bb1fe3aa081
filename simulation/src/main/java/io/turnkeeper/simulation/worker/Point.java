package io.turnkeeper.simulation.worker;

/** Where in the life of an attempt an executor can be made to die or to pause. */
public enum Point {
  CLAIMED,
  PREPARED,
  /** The order to take a turn was read; the turn is not taken. */
  GRANT_READ,
  /** The turn is taken; nobody was told. */
  TURN_TAKEN,
  /** An observation holds the turn. */
  LOOKING,
  /** The preparation was validated; nothing is committed. */
  VALIDATED,
  /** The commit is real; nobody was told. */
  COMMITTED,
  /** Everything was told; the place is not given back. */
  REPORTED
}
