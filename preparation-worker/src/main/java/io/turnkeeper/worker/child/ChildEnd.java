package io.turnkeeper.worker.child;

import io.turnkeeper.core.FailureCode;
import java.util.Map;
import java.util.Set;

/**
 * How a process for preparations ended by itself, or by somebody who is not its worker.
 *
 * @param exitCode as the system answers it: 128 and the number of the signal, if one ended it
 */
record ChildEnd(int exitCode) {
  /** What a Java process answers when it ran out of heap. */
  private static final int OUT_OF_MEMORY = 3;

  private static final int OF_SIGNALS = 128;

  private static final Map<Integer, String> SIGNALS =
      Map.of(
          1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9,
          "SIGKILL", 11, "SIGSEGV", 15, "SIGTERM", 24, "SIGXCPU");

  /** Those that others send; the rest are faults of the process itself. */
  private static final Set<Integer> FROM_OUTSIDE = Set.of(1, 2, 9, 15, 24);

  private static final int KILL = 9;

  FailureCode code() {
    if (exitCode == OUT_OF_MEMORY) {
      return FailureCode.NEEDS_MORE_MEMORY;
    }
    return FROM_OUTSIDE.contains(signal()) ? FailureCode.PROCESS_KILLED : FailureCode.UNKNOWN;
  }

  /** The number of the signal, 0 or less if there was none. */
  private int signal() {
    return exitCode - OF_SIGNALS;
  }

  /** As it goes on from "the process". */
  @Override
  public String toString() {
    if (signal() <= 0) {
      return "ended with code " + exitCode;
    }
    String name = SIGNALS.getOrDefault(signal(), "signal " + signal());
    if (!FROM_OUTSIDE.contains(signal())) {
      return "crashed with " + name;
    }
    return "was killed with "
        + name
        + (signal() == KILL
            ? ", by somebody or by the system for want of memory (its log says so then)"
            : "");
  }
}
