package io.turnkeeper.worker;

import java.time.Duration;

/** How long a worker waits for others. */
final class Patience {
  /** The lease of a turn. */
  static final Duration TURN_TTL = Duration.ofSeconds(30);

  /** Shorter than the time after which a grant that is not taken is withdrawn. */
  static final Duration TAKE = Duration.ofSeconds(4);

  static final Duration RELEASE = Duration.ofSeconds(5);

  static final Duration READ = Duration.ofSeconds(10);

  private Patience() {}
}
