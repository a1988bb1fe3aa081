package io.turnkeeper.simulation.plan;

import java.util.random.RandomGenerator;

/**
 * One thing that happens in a life, and how often.
 *
 * @param weight how often, compared with the others
 * @param which what is chosen; negative if chance chooses
 * @param amount how much or how long; negative if chance chooses
 */
record Ingredient(ActionKind kind, int weight, int which, long amount) {
  private static final int CHOICES = 1 << 20;

  static Ingredient of(ActionKind kind, int weight) {
    return new Ingredient(kind, weight, -1, -1);
  }

  /** Always the same choice, by its number. */
  Ingredient which(int choice) {
    return new Ingredient(kind, weight, choice, amount);
  }

  /** Always the same choice, of those that are chosen by their place. */
  Ingredient which(Enum<?> choice) {
    return which(place(choice));
  }

  /** Always the same amount. */
  Ingredient amount(long fixed) {
    return new Ingredient(kind, weight, which, fixed);
  }

  /** Likewise where the amount chooses. */
  Ingredient amount(Enum<?> choice) {
    return amount(place(choice));
  }

  @SuppressWarnings("EnumOrdinal") // Chance draws the place in the list of all values as well.
  private static int place(Enum<?> choice) {
    return choice.ordinal();
  }

  /** Draws even what is fixed, so that fixing it changes nothing else. */
  Action drawn(int index, long atMillis, RandomGenerator random) {
    int who = random.nextInt(CHOICES);
    int anyWhich = random.nextInt(CHOICES);
    int anyAmount = random.nextInt(CHOICES);
    return new Action(
        index, atMillis, kind, who, which < 0 ? anyWhich : which, amount < 0 ? anyAmount : amount);
  }
}
