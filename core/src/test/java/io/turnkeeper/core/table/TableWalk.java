package io.turnkeeper.core.table;

import static io.turnkeeper.core.table.Scenario.POOL;
import static io.turnkeeper.core.table.Scenario.SHARD;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitDeclined;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A walk through what the workers of one table may say, twice, late, or never. */
final class TableWalk {
  private static final List<String> CODES =
      List.of(
          "IO", "TURN_LOST", "STALE_PREPARATION", "OUTCOME_UNKNOWN", "MISSING_FILE", "CONFLICT");

  private final Scenario scenario =
      Scenario.prepared(new IndexSpec("by_id", "id", IndexType.BTREE));
  private final List<TableEvent> said = new ArrayList<>();
  private final Random random;

  TableWalk(Random random) {
    this.random = random;
  }

  Scenario scenario() {
    return scenario;
  }

  /** Goes one step; what a worker newly said in it, or null. */
  @Nullable TableEvent step() {
    int dice = random.nextInt(12);
    if (dice == 0) {
      scenario.after(random.nextInt(4) == 0 ? 700_000 : random.nextInt(40_000));
    } else if (dice == 1) {
      scenario.sealed(SHARD, 1 + random.nextInt(2_000));
    } else if (dice == 2) {
      scenario.observed(1 + random.nextInt(90), random.nextInt(60), 1_000);
    } else if (dice == 3 && random.nextInt(3) == 0) {
      scenario.executorRestarted();
    } else if (dice == 4) {
      head();
    } else if (dice == 5 && !said.isEmpty()) {
      scenario.given(said.get(random.nextInt(said.size())));
    } else {
      List<Unit> units = List.copyOf(scenario.state().units().values());
      if (!units.isEmpty()) {
        return say(report(units.get(random.nextInt(units.size()))));
      }
    }
    return null;
  }

  private void head() {
    Turns turns = scenario.state().turns();
    long turn = Math.max(0, turns.highest() - random.nextInt(2));
    long unit = scenario.state().lastUnit() - random.nextInt(2);
    scenario.head(1 + random.nextInt(90), turn, unit, 1, turn + random.nextInt(2));
  }

  private TableEvent say(TableEvent event) {
    said.add(0, event);
    scenario.given(event);
    return event;
  }

  /** What the unit's worker may say next, or what it might have said at another time. */
  private TableEvent report(Unit unit) {
    Attempt attempt = scenario.attempt(unit.kind());
    if (unit.silence().probe() != 0 && random.nextBoolean()) {
      return new Probe(unit.id(), unit.silence().probe());
    }
    if (random.nextInt(8) == 0) {
      String code = CODES.get(random.nextInt(CODES.size()));
      return switch (random.nextInt(4)) {
        case 0 -> new UnitFailed(attempt, "PREPARE", code, "because", null);
        case 1 -> new UnitDeclined(attempt, "DRAINING");
        case 2 -> new UnitReleased(attempt, 1_000);
        default -> new UnitNoOp(attempt, 1 + random.nextInt(9), "nothing");
      };
    }
    long turn = scenario.state().turns().highest();
    return switch (unit.phase()) {
      case REQUESTED, PLACED -> new PlacementEvent.UnitPlaced(POOL, attempt, 1_000);
      case ASSIGNED -> new UnitClaimed(attempt);
      case CLAIMED, PREPARING, READY ->
          new CheckpointEvent.PreparationReady(
              attempt, new Artifact(1, List.of(unit.id().sequence()), 1, 1, 1, "", 0, ""));
      case GRANTED -> new TurnTaken(attempt, turn);
      case TAKEN ->
          random.nextInt(3) == 0
              ? new PublishRefused(attempt, turn, CODES.get(random.nextInt(3)), "because")
              : new UnitPublished(
                  attempt,
                  turn,
                  unit.kind() == Kind.OBSERVE ? List.of() : List.of(1L + random.nextInt(90)),
                  Collections.emptySortedMap(),
                  1,
                  1,
                  0);
    };
  }
}
