package io.turnkeeper.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private final RootAllocator root = new RootAllocator();
  private final MemoryBudget budget = new MemoryBudget(root, 100);

  @AfterEach
  void close() {
    root.close();
  }

  @Test
  void whatDoesNotFitIsRefusedWholeAndTakesNothing() {
    MemoryBudget.Share first = taken(60);
    assertThat(budget.take("second", 41)).isNull();
    MemoryBudget.Share third = taken(40);

    first.close();
    assertThat(budget.take("fourth", 61)).isNull();
    taken(60).close();
    third.close();
    taken(100).close();
  }

  private MemoryBudget.Share taken(long bytes) {
    return requireNonNull(budget.take("unit", bytes));
  }
}
