package io.turnkeeper.streams.audit;

import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.HistoryFile;
import io.turnkeeper.streams.KafkaHistory;
import io.turnkeeper.streams.KafkaOptions;
import io.turnkeeper.streams.cli.FileToWrite;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes all of history into a file, for auditors without access to the brokers. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Write every journal with its decisions as JSON lines.",
      "The digests of the states as they are now go with them. The file is packed if its name ends"
          + " with .gz; 'replay' and 'check' read it."
    })
final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private KafkaOptions kafka = new KafkaOptions();

  @Parameters(paramLabel = "FILE", converter = FileToWrite.class, description = "the file to write")
  private Path file = Path.of("journal.jsonl.gz");

  @Override
  public Integer call() throws Exception {
    RecordCodec codec = new RecordCodec();
    try (KafkaHistory history = new KafkaHistory(kafka.scheduler(), codec, null)) {
      long steps = new HistoryFile(file, codec).write(history);
      spec.commandLine().getOut().printf("%,d entries written to %s%n", steps, file);
      spec.commandLine().getOut().flush();
    }
    return 0;
  }
}
