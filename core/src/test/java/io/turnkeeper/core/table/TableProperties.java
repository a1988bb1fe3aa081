package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.table.Assignment.GrantTurn;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/**
 * One table under whatever its workers may say, twice, late, or never. The scenario itself checks
 * after every step that a replay agrees, that the rules are at rest and that every kind is
 * explained.
 */
class TableProperties {
  private static final int STEPS = 60;

  @Property
  void immuneTo11TurnNumbersRiseAndNoTwoTurnsAreOpen(@ForAll Random random) {
    TableWalk walk = new TableWalk(random);
    Scenario scenario = walk.scenario();
    int grants = 0;
    long highest = 0;
    for (int step = 0; step < STEPS; step++) {
      boolean wasOpen = scenario.state().turns().open() != null;
      walk.step();
      List<GrantTurn> all = scenario.all(GrantTurn.class);
      for (GrantTurn grant : all.subList(grants, all.size())) {
        assertThat(grant.turn()).as("turns rise").isGreaterThan(highest);
        highest = grant.turn();
      }
      assertThat(all.size() - grants).as("one ends before another begins").isLessThan(3);
      assertThat(wasOpen || all.size() - grants < 2).isTrue();
      grants = all.size();
      assertThat(scenario.state().turns().highest()).isGreaterThanOrEqualTo(highest);
    }
  }

  @Property
  void whatWasSaidBeforeChangesNothingWhenItIsSaidAgainAtOnce(@ForAll Random random) {
    TableWalk walk = new TableWalk(random);
    Scenario scenario = walk.scenario();
    for (int step = 0; step < STEPS; step++) {
      @Nullable TableEvent last = walk.step();
      TableState before = scenario.state();
      if (last instanceof AttemptReport) {
        assertThat(scenario.given(last).state()).isEqualTo(before);
      }
    }
  }
}
