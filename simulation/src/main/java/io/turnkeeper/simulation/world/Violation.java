package io.turnkeeper.simulation.world;

/** Something that must hold does not. */
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String rule;

  public Violation(String rule, String facts) {
    super(rule + ": " + facts);
    this.rule = rule;
  }

  /** What does not hold; the same for every way of breaking it. */
  public String rule() {
    return rule;
  }

  /** Throws unless {@code holds}. */
  public static void unless(boolean holds, String rule, java.util.function.Supplier<String> facts) {
    if (!holds) {
      throw new Violation(rule, facts.get());
    }
  }
}
