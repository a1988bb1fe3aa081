package io.turnkeeper.worker;

/** The steps of a unit's life, in their order, at which a test can stop the process. */
public enum UnitStep {
  CLAIMED,
  PREPARED,
  TURN_TAKEN,
  STAGED,
  COMMITTED,
  MATERIALISED,
  REPORTED
}
