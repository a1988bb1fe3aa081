package io.turnkeeper.streams;

import io.turnkeeper.events.TopicProblem;
import io.turnkeeper.events.Topics;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the scheduler against brokers that are already there. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Runs the scheduler against an external Kafka until it is interrupted.")
public final class ServeCommand implements Callable<Integer> {
  private static final int BAD_CONFIG = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "properties file; bootstrap.servers is required")
  private Path file = Path.of("scheduler.properties");

  @Override
  public Integer call() throws InterruptedException {
    SchedulerConfig config;
    try {
      config = SchedulerConfig.of(read(file));
    } catch (ConfigException | IOException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return BAD_CONFIG;
    }
    List<TopicProblem> problems = problems(config);
    if (!problems.isEmpty()) {
      problems.forEach(spec.commandLine().getErr()::println);
      return BAD_CONFIG;
    }
    CountDownLatch stopped = new CountDownLatch(1);
    try (SchedulerApp app = new SchedulerApp(config)) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    app.close(SchedulerApp.STOP_LIMIT);
                    stopped.countDown();
                  },
                  "scheduler-stop"));
      app.start();
      spec.commandLine().getOut().println("scheduler started on " + config.bootstrapServers());
      spec.commandLine().getOut().flush();
      stopped.await();
    }
    return 0;
  }

  private static List<TopicProblem> problems(SchedulerConfig config) {
    Topics topics =
        new Topics(config.topicPrefix(), config.tablePartitions(), config.poolPartitions());
    Map<String, Object> properties = new HashMap<>(config.kafka());
    properties.put("bootstrap.servers", config.bootstrapServers());
    try (Admin admin = Admin.create(properties)) {
      return topics.check(admin);
    }
  }

  private static Properties read(Path file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    }
    return properties;
  }
}
