package io.turnkeeper.core.pool;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.UnitId;
import org.jspecify.annotations.Nullable;

/** What a table asks of its pool. */
public sealed interface InboxEvent extends PoolEvent {
  UnitId unit();

  int attempt();

  /**
   * A unit wants a place; a later request of the same attempt replaces the earlier one.
   *
   * @param rank the class, 0 first
   * @param score dimensionless; higher first within a class
   * @param waitSinceMillis since when it waits
   * @param expectedBytes the memory to reserve
   */
  record PlacementRequested(
      PoolId pool,
      UnitId unit,
      int attempt,
      Kind kind,
      int rank,
      double score,
      long waitSinceMillis,
      long expectedBytes)
      implements InboxEvent {
    public PlacementRequested {
      Require.positive("attempt", attempt);
      Require.count("rank", rank);
      Require.time("waitSinceMillis", waitSinceMillis);
      Require.count("expectedBytes", expectedBytes);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return PlacementFold.requested(before, this);
    }
  }

  /** The request is taken back. */
  record PlacementWithdrawn(PoolId pool, UnitId unit, int attempt) implements InboxEvent {
    public PlacementWithdrawn {
      Require.positive("attempt", attempt);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return PlacementFold.withdrawn(before, this);
    }
  }

  /**
   * The attempt holds nothing any more: slot and memory are free.
   *
   * @param executor on which it had its place, since an attempt may have been given another one
   *     meanwhile; null if the place is not known, which takes a waiting request back as well
   * @param incarnation of the executor; 0 if there is none
   */
  record ReservationEnded(
      PoolId pool, UnitId unit, int attempt, @Nullable ExecutorId executor, long incarnation)
      implements InboxEvent {
    public ReservationEnded {
      Require.positive("attempt", attempt);
    }

    /** Of the attempt, wherever its place is. */
    public ReservationEnded(PoolId pool, UnitId unit, int attempt) {
      this(pool, unit, attempt, null, 0);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return PlacementFold.reservationEnded(before, this);
    }
  }
}
