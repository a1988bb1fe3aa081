package io.turnkeeper.simulation.world;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The chance of one inhabitant. Each has dice of its own, so that what one does less does not
 * change what the others draw.
 */
public final class Dice {
  private final SplittableRandom random;

  public Dice(long seed, String owner) {
    random =
        new SplittableRandom(seed * 0x9E3779B97F4A7C15L ^ owner.hashCode() * 0xBF58476D1CE4E5B9L);
  }

  /** A number in [0, bound), 0 if there is none. */
  public long below(long bound) {
    return bound <= 0 ? 0 : random.nextLong(bound);
  }

  public long between(long low, long high) {
    return low + below(high - low + 1);
  }

  public boolean oneIn(int chances) {
    return random.nextInt(chances) == 0;
  }

  public <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
