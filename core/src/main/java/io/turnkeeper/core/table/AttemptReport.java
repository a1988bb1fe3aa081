package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;

/** What the worker of an attempt tells of it; it counts only while that attempt is the live one. */
public interface AttemptReport {
  Attempt attempt();
}
