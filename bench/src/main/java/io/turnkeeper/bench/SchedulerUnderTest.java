package io.turnkeeper.bench;

import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.SchedulerConfig;
import io.turnkeeper.streams.Sharing;
import java.util.List;
import java.util.Map;

/** A scheduler on a cluster; nobody is late for it. */
final class SchedulerUnderTest {
  static final String APPLICATION = "scheduler";
  private static final long PATIENCE_MILLIS = 3_600_000;

  /** As in production. */
  static final long COMMIT_INTERVAL_MILLIS = 25;

  private static final Settings SETTINGS =
      new Settings(
          PATIENCE_MILLIS,
          PATIENCE_MILLIS,
          PATIENCE_MILLIS,
          PATIENCE_MILLIS,
          Integer.MAX_VALUE,
          1L << 50,
          List.of(),
          List.of());

  private SchedulerUnderTest() {}

  static Scheduler start(Cluster cluster) {
    SchedulerConfig config =
        new SchedulerConfig(
            String.valueOf(cluster.client().get("bootstrap.servers")),
            cluster.topics.prefix(),
            APPLICATION,
            "bench-1",
            cluster.directory.resolve(APPLICATION),
            cluster.topics.tablePartitions(),
            cluster.topics.poolPartitions(),
            (short) 1,
            COMMIT_INTERVAL_MILLIS,
            Map.of(),
            Sharing.DEFAULT,
            SETTINGS);
    Scheduler scheduler = new Scheduler(config, RebuildMode.REFUSE, RebuildListener.SILENT);
    scheduler.start();
    return scheduler;
  }
}
