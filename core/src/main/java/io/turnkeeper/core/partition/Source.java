package io.turnkeeper.core.partition;

import io.turnkeeper.core.Require;

/** Where a journal entry's event was read. */
public record Source(String topic, int partition, long offset) {
  public Source {
    Require.text("topic", topic);
    Require.count("partition", partition);
    Require.count("offset", offset);
  }
}
