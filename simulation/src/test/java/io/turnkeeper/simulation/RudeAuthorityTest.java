package io.turnkeeper.simulation;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityContract;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.simulation.table.RudeAuthority;
import io.turnkeeper.simulation.world.Dice;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.VirtualClock;

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
}
