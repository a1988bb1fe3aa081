package io.turnkeeper.worker.trial;

import java.util.List;
import java.util.Random;

/** One zombie. */
sealed interface Trial permits TurnTrial, WriterTrial {
  String name();

  /** The kind of work it belongs to in the report. */
  String group();

  /** Makes what it needs at {@code table}, and says what it found. */
  List<Finding> run(TrialTable table, HolderProcess holder, Random random) throws Exception;
}
