package io.turnkeeper.worker;

import io.turnkeeper.authority.AuthorityUnavailableException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
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
  private static final int BAD_CONFIG = 2;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description =
          "Properties: bootstrap.servers, etcd.endpoints, executor.id, pool, slots.*, ...")
  @SuppressWarnings("NullAway.Init")
  private Path config;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try (Worker worker = new Worker(WorkerProperties.read(config))) {
      worker.start();
      Thread stop = new Thread(worker::close, "stop");
      Runtime.getRuntime().addShutdownHook(stop);
      worker.awaitEnd();
      return 0;
    } catch (ConfigException e) {
      err.println(e.getMessage());
      return BAD_CONFIG;
    } catch (AuthorityUnavailableException e) {
      err.println("cannot reach the authority: " + e.getMessage());
      return 1;
    }
  }
}
