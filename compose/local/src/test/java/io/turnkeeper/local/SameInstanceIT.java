package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.SchedulerConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnBrokers
class SameInstanceIT {
  @TempDir private Path temp;

  @Test
  void whoIsReplacedByAnotherOfTheSameIdStopsAndSaysWhy() throws Exception {
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, 1);
        Scheduler first = broker.start(RebuildMode.REFUSE, RebuildListener.SILENT);
        Scheduler second =
            new Scheduler(
                elsewhere(broker.config(), temp.resolve("other")),
                RebuildMode.AUTO,
                RebuildListener.SILENT)) {
      second.start();
      SchedulerOnBroker.await("the first to stop", () -> reasonOf(first) != null);
      assertThat(reasonOf(first)).contains("instance.id one").contains("needs its own");
    }
  }

  @Test
  void aStateDirectoryThatAnotherUsesIsNamed() throws Exception {
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, 1);
        Scheduler first = broker.start(RebuildMode.REFUSE, RebuildListener.SILENT)) {
      SchedulerOnBroker.await("the first to run", first::running);
      assertThatThrownBy(
              () -> {
                try (Scheduler second =
                    new Scheduler(broker.config(), RebuildMode.AUTO, RebuildListener.SILENT)) {
                  second.start();
                }
              })
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("state.dir " + broker.config().stateDir())
          .hasMessageContaining("another scheduler");
    }
  }

  private static @Nullable String reasonOf(Scheduler scheduler) {
    try {
      scheduler.rebuildIfBehind();
      return null;
    } catch (IllegalStateException e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static SchedulerConfig elsewhere(SchedulerConfig config, Path stateDir) {
    return new SchedulerConfig(
        config.bootstrapServers(),
        config.topicPrefix(),
        config.applicationId(),
        config.instanceId(),
        stateDir,
        config.tablePartitions(),
        config.poolPartitions(),
        config.replicationFactor(),
        config.commitIntervalMillis(),
        config.kafka(),
        config.sharing(),
        config.settings());
  }
}
