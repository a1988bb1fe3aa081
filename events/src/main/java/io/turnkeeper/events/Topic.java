package io.turnkeeper.events;

import io.turnkeeper.core.pool.ExecutorEvent;
import io.turnkeeper.core.pool.InboxEvent;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.PlacementEvent;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PublishEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topics, with how long their records are kept. A name is the prefix and {@link #suffix}:
 * renaming one leaves its records, and the positions of everybody who reads it, behind.
 */
public enum Topic {
  DEMAND("demand", Spread.TABLE, Kept.DAYS_7, DemandEvent.class),
  CLAIM("claim", Spread.TABLE, Kept.DAYS_7, ClaimEvent.class),
  CHECKPOINT("checkpoint", Spread.TABLE, Kept.DAYS_7, CheckpointEvent.class),
  PUBLISH("publish", Spread.TABLE, Kept.DAYS_7, PublishEvent.class),
  POLICY("policy", Spread.TABLE, Kept.FOR_EVER, PolicyEvent.class),
  PLACEMENT("placement", Spread.TABLE, Kept.DAYS_7, PlacementEvent.class),
  EXECUTOR("executor", Spread.POOL, Kept.DAYS_1, ExecutorEvent.class),
  POOL_INBOX("pool-inbox", Spread.POOL, Kept.DAYS_7, InboxEvent.class),
  JOURNAL("journal", Spread.TABLE, Kept.FOR_EVER, null),
  DECISION("decision", Spread.TABLE, Kept.FOR_EVER, null),
  POOL_JOURNAL("pool-journal", Spread.POOL, Kept.DAYS_30, null),
  POOL_DECISION("pool-decision", Spread.POOL, Kept.DAYS_30, null),
  ASSIGNMENT("assignment", Spread.TABLE, Kept.DAYS_7, null),
  TABLE_STATE("table-state", Spread.TABLE, Kept.NEWEST, null),
  REJECTED("rejected", Spread.TABLE, Kept.DAYS_30, null);

  /** Whose number of partitions a topic has; topics of one task must agree. */
  enum Spread {
    TABLE,
    POOL
  }

  /** How long records stay. */
  enum Kept {
    DAYS_1("delete", 1),
    DAYS_7("delete", 7),
    DAYS_30("delete", 30),
    /** The truth: neither time nor size nor compaction may remove anything. */
    FOR_EVER("delete", -1),
    /** The newest record of each key. */
    NEWEST("compact", -1);

    private static final long MILLIS_PER_DAY = 86_400_000L;

    private final String cleanupPolicy;
    private final long days;

    Kept(String cleanupPolicy, long days) {
      this.cleanupPolicy = cleanupPolicy;
      this.days = days;
    }

    String retentionMillis() {
      return String.valueOf(days < 0 ? -1 : days * MILLIS_PER_DAY);
    }

    String cleanupPolicy() {
      return cleanupPolicy;
    }
  }

  private final String suffix;
  private final Spread spread;
  private final Kept kept;
  private final @Nullable Class<?> family;

  Topic(String suffix, Spread spread, Kept kept, @Nullable Class<?> family) {
    this.suffix = suffix;
    this.spread = spread;
    this.kept = kept;
    this.family = family;
  }

  /** The name without the prefix. */
  public String suffix() {
    return suffix;
  }

  Spread spread() {
    return spread;
  }

  Kept kept() {
    return kept;
  }

  /** The events that are written here; null where the application alone writes. */
  @Nullable Class<?> family() {
    return family;
  }

  /** The settings the topic is created with. */
  Map<String, String> settings() {
    return Map.of(
        "cleanup.policy", kept.cleanupPolicy(),
        "retention.ms", kept.retentionMillis(),
        "retention.bytes", "-1",
        "max.message.bytes", String.valueOf(MAX_MESSAGE_BYTES));
  }

  /** The largest record with its key and headers. */
  static final int MAX_MESSAGE_BYTES = AvroLimits.MAX_RECORD_BYTES + 64 * 1024;
}
