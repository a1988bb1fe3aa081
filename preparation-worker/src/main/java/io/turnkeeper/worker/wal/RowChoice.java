package io.turnkeeper.worker.wal;

/** Which rows of a stream are taken, by their position in it. */
@FunctionalInterface
public interface RowChoice {
  boolean takes(long row);
}
