package io.turnkeeper.local;

import io.turnkeeper.streams.ConsoleProgress;
import io.turnkeeper.streams.cli.Directory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs broker, etcd, scheduler and worker in this process until it is stopped. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Run everything on this machine: a Kafka broker, etcd, the scheduler and a worker.",
      "Listens on 127.0.0.1 only. Stop it with Ctrl-C; the next start continues."
    })
final class UpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      converter = Directory.class,
      defaultValue = ".turnkeeper",
      description = "where everything is kept (default: ${DEFAULT-VALUE})")
  private Path dataDir;

  @Option(
      names = "--kafka-port",
      paramLabel = "PORT",
      converter = Whole.Port.class,
      defaultValue = "0",
      description = "port of the broker (default: a free one, the same at every start)")
  private int kafkaPort;

  @Option(
      names = "--etcd-port",
      paramLabel = "PORT",
      converter = Whole.Port.class,
      defaultValue = "0",
      description = "client port of etcd (default: a free one, the same at every start)")
  private int etcdPort;

  @Option(
      names = "--read-port",
      paramLabel = "PORT",
      converter = Whole.Port.class,
      defaultValue = "0",
      description =
          "port for 'tables', 'describe' and 'why' (default: a free one, the same at every start)")
  private int readPort;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (DataDir data = DataDir.open(dataDir)) {
      data.logHere();
      out.printf("turnkeeper is starting in %s, logging to its logs/%n", data.root());
      out.flush();
      try (LocalNode node = started(data, out)) {
        out.printf(
            "turnkeeper is up: kafka=%s etcd=%s reads=%s data=%s (stop with Ctrl-C)%n",
            node.bootstrap(), node.etcd(), node.reads(), data.root());
        out.flush();
        awaitStop(node, out);
      }
    }
    return 0;
  }

  private LocalNode started(DataDir data, PrintWriter out) throws InterruptedException {
    try (StartProgress progress = new StartProgress(out)) {
      return LocalNode.start(
          data,
          NodeOptions.DEFAULT.withPorts(kafkaPort, etcdPort, readPort),
          new ConsoleProgress(out),
          progress::waitsFor);
    }
  }

  /** Ends by the interrupt that a stop of the process sends. */
  private static void awaitStop(LocalNode node, PrintWriter out) throws InterruptedException {
    try {
      node.watch();
    } catch (InterruptedException e) {
      out.println("turnkeeper is stopping");
      out.flush();
      throw e;
    }
  }
}
