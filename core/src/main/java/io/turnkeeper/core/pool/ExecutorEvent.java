package io.turnkeeper.core.pool;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.UnitId;
import java.util.List;
import java.util.SortedMap;

/** What an executor says of itself. */
public sealed interface ExecutorEvent extends PoolEvent {
  ExecutorId executor();

  /** The start of the executor this comes from; a later start has a higher number. */
  long incarnation();

  /** An attempt that an executor still holds memory or a slot for. */
  record LiveUnit(UnitId unit, int attempt) {
    public LiveUnit {
      Require.positive("attempt", attempt);
    }
  }

  /**
   * The executor is alive and can run these kinds.
   *
   * @param slots how many units of each kind at once; a kind that is absent is not run
   * @param bytesTotal the memory that units may reserve, in bytes
   * @param draining whether it refuses new units
   */
  record ExecutorHeartbeat(
      PoolId pool,
      ExecutorId executor,
      long incarnation,
      SortedMap<Kind, Integer> slots,
      long bytesTotal,
      boolean draining,
      String version,
      SortedMap<String, String> labels,
      List<LiveUnit> liveUnits)
      implements ExecutorEvent {
    public ExecutorHeartbeat {
      Require.count("incarnation", incarnation);
      Require.count("bytesTotal", bytesTotal);
      Require.text("version", version);
      slots.forEach((kind, count) -> Require.count("slots of " + kind, count));
      slots = FrozenMap.copyOf(slots);
      labels = FrozenMap.copyOf(labels);
      liveUnits = List.copyOf(liveUnits);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return ExecutorFold.heard(before, this, now);
    }
  }

  /** The executor stopped on purpose and holds nothing. */
  record ExecutorGone(PoolId pool, ExecutorId executor, long incarnation) implements ExecutorEvent {
    public ExecutorGone {
      Require.count("incarnation", incarnation);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return ExecutorFold.gone(before, this);
    }
  }

  /** A mark the application wrote into the executor topic; see the table's probe. */
  record ExecutorProbe(PoolId pool, ExecutorId executor, long incarnation)
      implements ExecutorEvent {
    public ExecutorProbe {
      Require.count("incarnation", incarnation);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return ExecutorFold.probed(before, this);
    }
  }
}
