package io.turnkeeper.simulation.worker;

import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.simulation.table.SimTable;
import java.util.List;
import java.util.Optional;

/** An attempt that looks at the table and its log, under a turn if one was lost. */
final class ObserveLife extends AttemptLife {
  ObserveLife(SimExecutor executor, RunUnit run) {
    super(executor, run);
  }

  @Override
  void prepare() {
    if (run.mode() == Mode.OUTSIDE) {
      look(0);
    } else {
      awaitGrant();
    }
  }

  @Override
  void use(HeldTurn turn) {
    executor.reached(Point.LOOKING);
    step(executor.dice().between(1, 50), () -> look(turn.turn()));
  }

  private void look(long turn) {
    Optional<Head> head = head();
    SimTable table = table();
    if (head.isEmpty() || table == null) {
      fail(
          "PREPARE",
          table == null ? "NO_SUCH_TABLE" : "AUTHORITY_UNAVAILABLE",
          "cannot look",
          null);
      return;
    }
    tell(head.get());
    table
        .logs()
        .values()
        .forEach(
            log -> {
              if (log.listedThrough() > 0) {
                say(log.event(table, log.listedThrough(), SealSource.SCAN));
              }
            });
    observe(table);
    say(
        new PublishEvent.UnitPublished(
            attempt(), turn, List.of(), head.get().mergedThrough(), 0, 0, 0));
    end();
  }
}
