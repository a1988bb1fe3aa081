package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.world.Violation;
import org.junit.jupiter.api.Test;

/** What the journal does not say is found in no state. */
class RebuildTest {
  private final Fleet fleet = new Fleet(1, 1, Rules.REAL, what -> {});

  @Test
  void whatNobodyRecordedIsFoundOutInTheEnd() {
    fleet.start();
    fleet.runTo(10_000);
    fleet.rebuild();
    TableId hot = new TableId("hot");
    fleet.tableTask.states().put(hot, TableState.unknown(hot));
    assertThatThrownBy(fleet::rebuild).isInstanceOf(Violation.class).hasMessageContaining("8: ");
  }

  @Test
  void aStateOfNobodyInTheJournalIsFoundOutInTheEnd() {
    fleet.start();
    fleet.runTo(10_000);
    TableId ghost = new TableId("ghost");
    fleet.tableTask.states().put(ghost, TableState.unknown(ghost));
    assertThatThrownBy(fleet::rebuild)
        .isInstanceOf(Violation.class)
        .hasMessageContaining("8: rebuilt from the first entry = live");
  }
}
