package io.turnkeeper.core.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DueTimesTest {
  private final DueTimes due = new DueTimes();

  @Test
  void theLongestDueAreTakenFirstAndOnlySoMany() {
    due.set("late", 30);
    due.set("early", 10);
    due.set("middle", 20);
    assertThat(due.isDue(9)).isFalse();
    assertThat(due.isDue(10)).isTrue();
    assertThat(due.takeDue(20, 1)).containsExactly("early");
    assertThat(due.takeDue(20, 5)).containsExactly("middle");
    assertThat(due.isDue(29)).isFalse();
  }

  @Test
  void itKnowsWhenTheFirstIsDue() {
    assertThat(due.nextMillis()).as("nobody is known").isEqualTo(Long.MAX_VALUE);
    due.set("late", 30);
    due.set("early", 10);
    assertThat(due.nextMillis()).isEqualTo(10);
    due.sweep();
    assertThat(due.nextMillis()).as("at once").isZero();
    due.takeDue(30, 9);
    assertThat(due.nextMillis()).as("nobody is due any more").isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aTimeThatIsSetAnewReplacesTheOldOne() {
    due.set("table", 10);
    due.set("table", 50);
    assertThat(due.takeDue(49, 5)).isEmpty();
    due.set("table", Long.MAX_VALUE);
    assertThat(due.isDue(Long.MAX_VALUE - 1)).isFalse();
  }

  @Test
  void aSweepComesToEverybodyOnceInSteps() {
    due.set("a", Long.MAX_VALUE);
    due.set("b", 5);
    due.set("c", Long.MAX_VALUE);
    due.sweep();
    assertThat(due.takeDue(5, 2)).containsExactly("b", "a");
    assertThat(due.takeDue(5, 9)).isEqualTo(List.of("b", "c"));
    assertThat(due.isDue(5)).isFalse();
  }

  @Test
  void amongEqualsTheLesserKeyComesFirst() {
    due.set("b", 10);
    due.set("c", 10);
    due.set("a", 10);
    assertThat(due.takeDue(10, 9)).containsExactly("a", "b", "c");
  }

  @Test
  void aStartMakesEverybodyDueAndEndsASweep() {
    due.set("a", Long.MAX_VALUE);
    due.set("b", 90);
    due.sweep();
    due.startOver(50);
    assertThat(due.isDue(49)).isFalse();
    assertThat(due.takeDue(50, 9)).containsExactly("a", "b");
    assertThat(due.isDue(50)).isFalse();
  }

  @Test
  void whateverIsSetTheOrderIsThatOfASortedSet() {
    Random random = new Random(1);
    Map<String, Long> expected = new TreeMap<>();
    for (int step = 0; step < 5_000; step++) {
      String key = "k" + random.nextInt(50);
      long at = random.nextInt(1_000);
      due.set(key, at);
      expected.put(key, at);
      if (step % 20 == 0) {
        String first =
            expected.entrySet().stream()
                .min(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElseThrow();
        assertThat(due.takeDue(999, 1)).containsExactly(first);
        expected.remove(first);
      }
    }
  }

  @Test
  void anIdleTableCostsLessThanAKibibyteBesideItsState() {
    int tables = 50_000;
    long before = usedBytes();
    for (int table = 0; table < tables; table++) {
      due.set("some/team/some-table-" + table, 1_800_000_000_000L + table);
    }
    long each = (usedBytes() - before) / tables;
    assertThat(due.isDue(0)).isFalse();
    assertThat(each).isBetween(50L, 1_023L);
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
