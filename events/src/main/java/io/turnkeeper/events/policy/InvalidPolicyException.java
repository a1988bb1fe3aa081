package io.turnkeeper.events.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy document that cannot be taken, with every reason found. */
public final class InvalidPolicyException extends Exception {
  private static final long serialVersionUID = 1L;

  private final List<String> problems;

  InvalidPolicyException(List<String> problems) {
    super("BAD_POLICY: " + String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  InvalidPolicyException(String problem, @Nullable Throwable cause) {
    super("BAD_POLICY: " + problem, cause);
    this.problems = List.of(problem);
  }

  /** What is wrong, each with the field it is about; never empty. */
  public List<String> problems() {
    return problems;
  }
}
