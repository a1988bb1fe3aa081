package io.turnkeeper.core;

/**
 * One try of a unit on one executor, as every report of a worker names it.
 *
 * @param unit the unit
 * @param number counts the tries of the unit from 1
 * @param executor where it runs
 * @param incarnation which start of that executor; a later start has a higher number
 */
public record Attempt(UnitId unit, int number, ExecutorId executor, long incarnation) {
  public Attempt {
    Require.positive("attempt", number);
    Require.count("executor incarnation", incarnation);
  }

  public TableId table() {
    return unit.table();
  }
}
