package io.turnkeeper.streams.audit;

import io.turnkeeper.core.TableId;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.History;
import io.turnkeeper.streams.HistoryFile;
import io.turnkeeper.streams.KafkaHistory;
import io.turnkeeper.streams.KafkaOptions;
import io.turnkeeper.streams.SchedulerConfig;
import io.turnkeeper.streams.cli.FileToRead;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where history is read from: the topics, or a file that {@code journal export} wrote. */
final class HistoryOptions {
  @Mixin private KafkaOptions kafka = new KafkaOptions();

  @Option(
      names = "--from-file",
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "read what 'journal export' wrote instead of the topics")
  private @Nullable Path file;

  /** All of history, or only that of the partition of one table. */
  History open(RecordCodec codec, @Nullable TableId table) {
    if (file != null) {
      return new HistoryFile(file, codec);
    }
    SchedulerConfig config = kafka.scheduler();
    Integer partition =
        table == null
            ? null
            : Topics.partitionOf(Topics.utf8(table.value()), config.tablePartitions());
    return new KafkaHistory(config, codec, partition);
  }
}
