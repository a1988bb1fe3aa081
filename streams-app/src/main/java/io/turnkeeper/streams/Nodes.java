package io.turnkeeper.streams;

/**
 * The names of processor nodes and stores. Renaming a store orphans its changelog and loses the
 * state in it; renaming a node changes nothing that is kept.
 */
final class Nodes {
  static final String TABLE_SOURCE = "table-source";
  static final String POOL_SOURCE = "pool-source";
  static final String TABLE_PROCESSOR = "table";
  static final String POOL_PROCESSOR = "pool";

  /** Tables and their partition's own state. */
  static final String TABLE_STORE = "tables";

  /** Pools and their partition's own state. */
  static final String POOL_STORE = "pools";

  static final String JOURNAL_SINK = "journal-sink";
  static final String DECISION_SINK = "decision-sink";
  static final String TABLE_STATE_SINK = "table-state-sink";
  static final String TABLE_REJECTED_SINK = "table-rejected-sink";
  static final String ASSIGNMENT_SINK = "assignment-sink";
  static final String POOL_INBOX_SINK = "pool-inbox-sink";
  static final String CLAIM_PROBE_SINK = "claim-probe-sink";
  static final String CHECKPOINT_PROBE_SINK = "checkpoint-probe-sink";
  static final String PUBLISH_PROBE_SINK = "publish-probe-sink";
  static final String POOL_JOURNAL_SINK = "pool-journal-sink";
  static final String POOL_DECISION_SINK = "pool-decision-sink";
  static final String POOL_REJECTED_SINK = "pool-rejected-sink";
  static final String PLACEMENT_SINK = "placement-sink";
  static final String EXECUTOR_PROBE_SINK = "executor-probe-sink";

  /** The key of a partition's own state, which no table or pool can have. */
  static final String PARTITION_KEY = "_partition";

  private Nodes() {}
}
