package io.turnkeeper.streams;

import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** What happened, from wherever it is kept. */
public interface History extends AutoCloseable {
  /** The tables' steps, partition after partition. */
  void tables(Consumer<JournalStep> into) throws InvalidRecordException, IOException;

  /** The pools' steps, partition after partition. */
  void pools(Consumer<JournalStep> into) throws InvalidRecordException, IOException;

  /**
   * What the states are known to be, to compare with. Read before the steps.
   *
   * @throws ConfigException if nothing is known of the stores where they were looked for
   */
  List<KnownState> known() throws InvalidRecordException, IOException, ConfigException;

  @Override
  void close();
}
