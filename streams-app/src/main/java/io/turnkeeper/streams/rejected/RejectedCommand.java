package io.turnkeeper.streams.rejected;

import io.turnkeeper.events.InvalidRecordException.Code;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.RecordJson;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.KafkaOptions;
import io.turnkeeper.streams.OutputForm;
import io.turnkeeper.streams.SchedulerConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rejected}: what the scheduler refused to take, and a second try. */
@Command(
    name = "rejected",
    mixinStandardHelpOptions = true,
    description = "List, show and resubmit records that were refused; they are kept 30 days.")
public final class RejectedCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, but there is none");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints a line for each: id, time, code, origin, key and reason.")
  void list(
      @Mixin KafkaOptions kafka,
      @Option(
              names = "--code",
              paramLabel = "CODE",
              description = "only those with this code: ${COMPLETION-CANDIDATES}")
          @Nullable Code code,
      @Option(
              names = "--output",
              defaultValue = "table",
              paramLabel = "FORM",
              description = "table, or json for one object a line (default: ${DEFAULT-VALUE})")
          OutputForm output) {
    SchedulerConfig config = kafka.scheduler();
    try (RejectedTopic topic = new RejectedTopic(config.client(), config.topics())) {
      long[] listed = new long[1];
      topic.forEach(
          rejected -> {
            if (hasCode(rejected, code)) {
              print(output == OutputForm.JSON ? rejected.json().toString() : rejected.line());
              listed[0]++;
            }
          });
      if (listed[0] == 0 && output == OutputForm.TABLE) {
        print(code == null ? "no record was refused" : "no record was refused with " + code);
      }
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints all of one record as JSON, its value decoded if it can be.")
  void show(
      @Parameters(
              paramLabel = "ID",
              converter = RejectedId.Converter.class,
              description = "the record, as 'rejected list' names it")
          RejectedId id,
      @Mixin KafkaOptions kafka)
      throws ConfigException {
    SchedulerConfig config = kafka.scheduler();
    try (RejectedTopic topic = new RejectedTopic(config.client(), config.topics())) {
      print(topic.get(id).whole(new RecordJson(new RecordCodec())).toPrettyString());
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = {
        "Sends records again to the topic they came on.",
        "One that would only be refused again is not sent; exit code 1 if there was such a one."
      })
  int resubmit(
      @Parameters(
              paramLabel = "ID",
              arity = "0..*",
              converter = RejectedId.Converter.class,
              description = "the records, as 'rejected list' names them")
          @Nullable List<RejectedId> ids,
      @Option(
              names = "--code",
              paramLabel = "CODE",
              description = "all with this code: ${COMPLETION-CANDIDATES}")
          @Nullable Code code,
      @Mixin KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    if ((ids == null) == (code == null)) {
      throw new ParameterException(spec.commandLine(), "expected either ids or --code");
    }
    SchedulerConfig config = kafka.scheduler();
    int sent = 0;
    try (RejectedTopic topic = new RejectedTopic(config.client(), config.topics());
        Resubmission resubmission = new Resubmission(config.client(), new RecordCodec())) {
      List<RejectedId> chosen = ids == null ? idsWith(topic, code) : ids;
      for (RejectedId id : chosen) {
        RejectedRecord rejected = topic.get(id);
        String refusal = resubmission.refusal(rejected);
        if (refusal == null) {
          print(id + " sent as " + resubmission.send(rejected));
          sent++;
        } else {
          print(id + " not sent, it would be refused again: " + refusal);
        }
      }
      print(
          chosen.isEmpty()
              ? "nothing to send: no record was refused with " + code
              : sent + " of " + chosen.size() + " sent");
      return sent == chosen.size() ? 0 : 1;
    }
  }

  private static List<RejectedId> idsWith(RejectedTopic topic, @Nullable Code code) {
    List<RejectedId> ids = new ArrayList<>();
    topic.forEach(
        rejected -> {
          if (hasCode(rejected, code)) {
            ids.add(rejected.id());
          }
        });
    return ids;
  }

  private static boolean hasCode(RejectedRecord rejected, @Nullable Code code) {
    return code == null || rejected.rejection().code().equals(code.name());
  }

  private void print(String text) {
    spec.commandLine().getOut().println(text);
    spec.commandLine().getOut().flush();
  }
}
