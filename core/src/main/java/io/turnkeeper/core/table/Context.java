package io.turnkeeper.core.table;

import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyDocument;

/**
 * What the rules read besides the table itself.
 *
 * @param settings the process settings as last recorded
 * @param defaults the default policy document as last recorded
 * @param gapAtMillis when input records were last found to be missing, 0 if never
 */
public record Context(Settings settings, PolicyDocument defaults, long gapAtMillis) {
  /** What a partition's tables share. */
  public static Context of(PartitionState partition) {
    return new Context(partition.settings(), partition.defaults(), partition.gapAtMillis());
  }

  /** The policy that holds for a table. */
  Policy policyOf(TableState state) {
    return Policy.of(defaults, state.policy());
  }
}
