package io.turnkeeper.worker.work;

/** The attempt was cancelled; whoever cancelled it has answered for it. */
public final class WorkCancelledException extends Exception {
  public WorkCancelledException() {
    super("the attempt was cancelled");
  }
}
