package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityContract;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.simulation.table.RudeAuthority;
import io.turnkeeper.simulation.table.Tables;
import io.turnkeeper.simulation.world.Dice;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.VirtualClock;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The simulated authority keeps the contract that the one in etcd keeps. */
class RudeAuthorityTest extends AuthorityContract {
  private final RudeAuthority authority =
      new RudeAuthority(
          new InMemoryAuthority(),
          new VirtualClock(),
          new Dice(1, "authority"),
          new Tally(),
          (held, commit, head) -> {});

  @Override
  protected Authority authority() {
    return authority;
  }

  @Override
  protected void expire(HeldTurn held) {
    authority.expire(held);
  }

  @Test
  void answersThatWereToBeLostAreNotLostOnceAllIsHealed() {
    for (int i = 0; i < 3; i++) {
      authority.loseAnswer();
    }
    authority.goAway(60_000);
    authority.disarm();
    TableId table = new TableId("healed");
    authority.register(
        table, "/data/healed", 1, new Tables().manifest(), new TreeMap<>(), Tables.NO_DEADLINE);
    Attempt attempt = new Attempt(new UnitId(table, 1), 1, new ExecutorId("worker"), 1);
    assertThat(authority.take(attempt, 1, Duration.ofSeconds(30), Tables.NO_DEADLINE))
        .isInstanceOf(TakeOutcome.Taken.class);
  }
}
