package io.turnkeeper.worker;

import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.TableEvent;

/** Where a worker's facts go. Each call returns when the broker has the fact. */
public interface Reports {
  /**
   * Tells a fact about a table.
   *
   * @throws ReportFailedException if the broker does not take it
   */
  void send(TableEvent event);

  /**
   * Tells a fact about the executor.
   *
   * @throws ReportFailedException if the broker does not take it
   */
  void send(PoolEvent event);

  /** Takes no facts from here on; whoever waits for one to be taken is refused at once. */
  void giveUp();
}
