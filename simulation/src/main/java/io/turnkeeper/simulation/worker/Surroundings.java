package io.turnkeeper.simulation.worker;

import io.turnkeeper.simulation.table.RudeAuthority;
import io.turnkeeper.simulation.table.Tables;
import io.turnkeeper.simulation.world.Network;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.VirtualClock;

/** What an executor meets outside of itself. */
public record Surroundings(
    VirtualClock clock,
    Network network,
    RudeAuthority authority,
    Tables tables,
    AssignmentLog orders,
    Tally tally) {}
