package io.turnkeeper.local.demo;

import java.util.Random;

/** How many rows the next generation has: uneven, some of one row, some of thousands. */
final class GenerationSizes {
  private static final int MEDIUM_ROWS = 500;
  private static final int LARGE_ROWS = 2_000;
  private static final int LARGE_SPREAD = 6_000;

  private final Random random;

  GenerationSizes(long seed) {
    random = new Random(seed);
  }

  int next() {
    return switch (random.nextInt(4)) {
      case 0 -> 1;
      case 1, 2 -> 2 + random.nextInt(MEDIUM_ROWS);
      default -> LARGE_ROWS + random.nextInt(LARGE_SPREAD);
    };
  }
}
