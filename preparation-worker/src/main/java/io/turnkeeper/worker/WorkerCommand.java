package io.turnkeeper.worker;

import io.turnkeeper.authority.AuthorityUnavailableException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code worker}: runs a worker until the process is asked to stop. */
@Command(
    name = "worker",
    mixinStandardHelpOptions = true,
    description = "Run a worker: prepare and publish the units of work it is assigned.")
public final class WorkerCommand implements Callable<Integer> {
  private static final int UNREACHABLE = 1;
  private static final int BAD_CONFIG = 2;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      converter = FileToRead.class,
      description =
          "Properties: bootstrap.servers, etcd.endpoints, executor.id, pool, slots.*, ...")
  @SuppressWarnings("NullAway.Init")
  private Path config;

  @Override
  public Integer call() throws InterruptedException {
    try {
      return run(WorkerProperties.read(config));
    } catch (ConfigException e) {
      return refused(BAD_CONFIG, String.valueOf(e.getMessage()));
    }
  }

  private int run(WorkerConfig settings) throws InterruptedException {
    try (Worker worker = new Worker(settings)) {
      worker.start();
      Thread stop = new Thread(worker::close, "stop");
      Runtime.getRuntime().addShutdownHook(stop);
      worker.awaitEnd();
      return 0;
    } catch (AuthorityUnavailableException e) {
      return refused(UNREACHABLE, "cannot reach the authority: " + e.getMessage());
    } catch (KafkaException e) {
      if (isAboutSettings(e)) {
        return refused(BAD_CONFIG, "expected settings that Kafka takes, but " + words(e));
      }
      return refused(
          UNREACHABLE,
          "cannot reach the brokers at " + settings.bootstrapServers() + ": " + e.getMessage());
    }
  }

  /** Whether a client could not even be made; the reason is then among the causes. */
  private static boolean isAboutSettings(KafkaException e) {
    return e instanceof org.apache.kafka.common.config.ConfigException || e.getCause() != null;
  }

  private static String words(KafkaException e) {
    Throwable last = e;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return e.getMessage() + (last == e ? "" : ": " + last.getMessage());
  }

  private int refused(int code, String message) {
    spec.commandLine().getErr().println(message);
    return code;
  }
}
