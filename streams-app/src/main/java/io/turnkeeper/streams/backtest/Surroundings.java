package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.TableState;

/** What simulated executors can do and see. */
interface Surroundings {
  /** Does something after a while. */
  void after(long millis, Runnable action);

  /** Tells the scheduler. */
  void say(Event event);

  /** The table; what an authority and the storage would say of it is read from here. */
  TableState table(TableId id);
}
