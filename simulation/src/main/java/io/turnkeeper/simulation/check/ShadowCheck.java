package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.UnitDecision.RequestPlacement;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.simulation.world.Violation;

/**
 * In shadow nothing asks for a place, and what was opened then is not done under another policy.
 */
public final class ShadowCheck implements Check<TableState, TableDecision> {
  @Override
  public void decided(
      Decided<TableDecision> decided,
      TableState before,
      TableState after,
      PartitionState partition) {
    Unit unit =
        decided.decision() instanceof RequestPlacement request
            ? Units.find(before, request.unit())
            : null;
    if (unit == null) {
      return;
    }
    Policy policy = Policy.of(partition.defaults(), before.policy());
    Violation.unless(
        policy.mode() != PolicyMode.SHADOW || Units.isRecovery(unit),
        "in shadow nothing is assigned",
        () -> decided + " under " + policy);
    if (unit.attempt() == 1 && unit.asked() == null) {
      Violation.unless(
          isOf(unit.spec(), policy),
          "what a policy only tried is not carried out",
          () -> unit + " is to be placed under " + policy);
    }
  }

  /** Whether the limits that a policy sets for the work are those of this one. */
  private static boolean isOf(WorkSpec spec, Policy policy) {
    if (spec instanceof WorkSpec.Retire retire) {
      return retire.keepVersions() == policy.retireKeepVersions();
    }
    if (spec instanceof WorkSpec.Compact compact) {
      return compact.targetRows() == policy.compactTargetRows()
          && compact.targetBytes() == policy.compactTargetBytes();
    }
    return true;
  }
}
