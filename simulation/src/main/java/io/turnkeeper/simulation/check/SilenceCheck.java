package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.UnitDecision.ExpireTurn;
import io.turnkeeper.core.table.UnitDecision.FailUnit;
import io.turnkeeper.core.table.UnitDecision.WithdrawGrant;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A worker is only found silent after the whole limit of observed time, and after a probe that was
 * written behind its last word came back.
 */
public final class SilenceCheck implements Check<TableState, TableDecision> {
  /** When a unit was last heard of, in observed time, and whether a probe came back since. */
  private record Heard(long observedMillis, boolean probed) {}

  /** A verdict of silence. */
  private record Verdict(UnitId unit, long limitMillis) {}

  private final Map<UnitId, Heard> heard = new HashMap<>();

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    follow(before, after, now);
    if (event instanceof Probe probe) {
      heard.computeIfPresent(probe.unit(), (unit, last) -> new Heard(last.observedMillis(), true));
    }
  }

  @Override
  public void decided(
      Decided<TableDecision> decided,
      TableState before,
      TableState after,
      PartitionState partition) {
    Verdict verdict = verdict(decided.decision(), before, partition);
    if (verdict != null) {
      Heard last = heard.get(verdict.unit());
      Violation.unless(
          last != null
              && last.probed()
              && partition.observedMillis() - last.observedMillis() >= verdict.limitMillis(),
          "silence is checked before it is believed",
          () -> decided + " at " + partition.now() + ", " + last);
    }
    follow(before, after, partition.now());
  }

  /** A unit was heard of if its state says that it was; when, is written down here. */
  private void follow(TableState before, TableState after, Now now) {
    if (before.units() == after.units()) {
      return;
    }
    for (Unit unit : after.units().values()) {
      Unit known = before.units().get(unit.kind());
      boolean isAsBefore =
          known != null
              && known.id().equals(unit.id())
              && known.phase() == unit.phase()
              && known.heardMillis() == unit.heardMillis();
      if (!isAsBefore) {
        heard.put(unit.id(), new Heard(now.observedMillis(), false));
      }
    }
    for (Unit unit : before.units().values()) {
      Unit now1 = after.units().get(unit.kind());
      if (now1 == null || !now1.id().equals(unit.id())) {
        heard.remove(unit.id());
      }
    }
  }

  private static @Nullable Verdict verdict(
      TableDecision decision, TableState state, PartitionState partition) {
    Policy policy = Policy.of(partition.defaults(), state.policy());
    Settings settings = partition.settings();
    if (decision instanceof WithdrawGrant withdrawn) {
      return new Verdict(withdrawn.unit(), settings.takeTimeoutMillis());
    }
    if (decision instanceof ExpireTurn expired) {
      return new Verdict(expired.unit(), policy.publishTimeoutMillis());
    }
    if (decision instanceof CancelUnit cancel && cancel.code().equals(FailureCode.STALLED.name())) {
      return new Verdict(cancel.attempt().unit(), policy.idleTimeoutMillis());
    }
    if (decision instanceof FailUnit failed
        && failed.code().equals(FailureCode.CLAIM_TIMEOUT.name())) {
      return new Verdict(failed.unit(), settings.claimTimeoutMillis());
    }
    return null;
  }
}
