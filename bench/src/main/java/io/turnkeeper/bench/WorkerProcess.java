package io.turnkeeper.bench;

import io.turnkeeper.worker.WorkerCommand;
import picocli.CommandLine;

/** A worker as a process of its own. */
final class WorkerProcess {
  private WorkerProcess() {}

  /** Runs a worker with the configuration in file {@code args[0]} until it is stopped. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new WorkerCommand()).execute("--config", args[0]));
  }
}
