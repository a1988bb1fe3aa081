package io.turnkeeper.streams;

import io.turnkeeper.events.TopicProblem;
import io.turnkeeper.streams.cli.FileToRead;
import io.turnkeeper.streams.read.ReadEndpoint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the scheduler against brokers that are already there. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Run the scheduler against an external Kafka until it is interrupted.")
public final class ServeCommand implements Callable<Integer> {
  private static final int BAD_CONFIG = 2;
  private static final long WATCH_MILLIS = 100;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "properties file; bootstrap.servers is required")
  private Path file = Path.of("scheduler.properties");

  @Option(
      names = "--rebuild",
      paramLabel = "MODE",
      defaultValue = "AUTO",
      description =
          "what to do when a store is behind its journal: auto rebuilds it first, refuse stops"
              + " (default: auto)")
  private RebuildMode rebuild = RebuildMode.AUTO;

  @Override
  public Integer call() throws InterruptedException {
    SchedulerConfig config;
    try {
      config = SchedulerConfig.read(file);
    } catch (ConfigException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return BAD_CONFIG;
    }
    List<TopicProblem> problems = problems(config);
    if (!problems.isEmpty()) {
      problems.forEach(spec.commandLine().getErr()::println);
      return BAD_CONFIG;
    }
    PrintWriter out = spec.commandLine().getOut();
    try (ReadEndpoint endpoint = ReadEndpoint.bind(config.sharing().listen());
        Scheduler scheduler =
            new Scheduler(
                config.answeringAt(endpoint.address()), rebuild, new ConsoleProgress(out))) {
      endpoint.serve(scheduler);
      scheduler.start();
      boolean told = false;
      // Ends by the interrupt that a stop of the process sends.
      while (true) {
        scheduler.rebuildIfBehind();
        if (!told && scheduler.running()) {
          out.printf(
              "scheduler started on %s, reads at http://%s:%d%n",
              config.bootstrapServers(), endpoint.address().host(), endpoint.address().port());
          out.flush();
          told = true;
        }
        TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
      }
    } catch (IOException e) {
      spec.commandLine()
          .getErr()
          .println("cannot listen for reads at " + config.sharing().listen() + ": " + e);
      return BAD_CONFIG;
    } catch (RebuildRefusedException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return 1;
    }
  }

  private static List<TopicProblem> problems(SchedulerConfig config) {
    try (Admin admin = Admin.create(config.client())) {
      return config.topics().check(admin);
    }
  }
}
