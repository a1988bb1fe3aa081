package io.turnkeeper.core;

/** One piece of work on one table; the sequence rises per table and never restarts. */
public record UnitId(TableId table, long sequence) implements Comparable<UnitId> {
  public UnitId {
    Require.positive("unit sequence", sequence);
  }

  @Override
  public int compareTo(UnitId other) {
    int byTable = table.compareTo(other.table);
    return byTable != 0 ? byTable : Long.compare(sequence, other.sequence);
  }

  @Override
  public String toString() {
    return table + "#" + sequence;
  }
}
