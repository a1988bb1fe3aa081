package io.turnkeeper.core.table;

import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyDocument;

/**
 * What the rules read besides the table itself.
 *
 * @param settings the process settings as last recorded
 * @param defaults the default policy document as last recorded
 */
public record Context(Settings settings, PolicyDocument defaults) {
  /** The policy that holds for a table. */
  Policy policyOf(TableState state) {
    return Policy.of(defaults, state.policy());
  }
}
