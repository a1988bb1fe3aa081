package io.turnkeeper.worker;

import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.IOException;

/** What one attempt does between its claim and its release. */
interface AttemptLife {
  /**
   * Runs until the attempt is over, and tells how it ended.
   *
   * @throws WorkFailedException if that is still to be told
   * @throws WorkCancelledException if it was told already
   */
  void live() throws WorkFailedException, WorkCancelledException, InterruptedException;

  /** Where it is, for a failure. */
  String phase();

  /**
   * Deletes what nobody needs any more, once it is over.
   *
   * @throws IOException if something is left
   */
  void leaveNothing() throws WorkFailedException, IOException;
}
