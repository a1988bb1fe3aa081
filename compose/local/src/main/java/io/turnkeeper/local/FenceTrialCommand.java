package io.turnkeeper.local;

import io.turnkeeper.worker.trial.FenceTrials;
import io.turnkeeper.worker.trial.TrialReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fence-trial}: stops holders of turns, lets others act, and continues them. */
@Command(
    name = "fence-trial",
    mixinStandardHelpOptions = true,
    description = {
      "Try to break the fence.",
      "In each trial a process that holds a turn, or writes a log, is stopped by SIGSTOP at some"
          + " step; another takes the turn and commits or gives it back, or the table is dropped"
          + " and registered anew; then it is continued. Prints what came of it; exit code 1 if"
          + " anything was committed by a zombie, lost, doubled or overwritten."
    })
final class FenceTrialCommand implements Callable<Integer> {
  private static final int STEP = 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--trials",
      defaultValue = "50",
      converter = Whole.Count.class,
      paramLabel = "N",
      description = "how many (default: ${DEFAULT-VALUE})")
  private int trials;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      description = "the order of the trials, to repeat a run (default: the time)")
  private @Nullable Long seed;

  @Option(
      names = "--etcd",
      paramLabel = "URL",
      description = "an etcd to use (default: one of its own, for as long as it runs)")
  private @Nullable URI etcd;

  @Option(
      names = "--storage",
      paramLabel = "local|s3",
      defaultValue = "local",
      description =
          "where tables and logs lie: in a directory, or in a bucket of an S3 server that is"
              + " started for it (default: ${DEFAULT-VALUE})")
  private TableStorage.Choice storage;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("fence-trial").toRealPath();
    TrialReport report = etcd == null ? withOwnEtcd(directory) : run(etcd, directory);
    PrintWriter out = spec.commandLine().getOut();
    report.lines().forEach(out::println);
    report.findings().forEach(out::println);
    out.flush();
    if (!report.isClean()) {
      return 1;
    }
    Trees.delete(directory);
    return 0;
  }

  private TrialReport withOwnEtcd(Path directory) throws IOException, InterruptedException {
    Ports ports = new Ports(directory.resolve("ports"));
    try (EtcdProcess process =
        EtcdProcess.start(
            EtcdBinary.find(System.getenv()),
            directory.resolve("etcd"),
            directory.resolve("etcd.log"),
            ports.choose("etcd", Ports.ANY),
            ports.choose("etcd-peer", Ports.ANY))) {
      process.awaitHealthy();
      return run(URI.create(process.endpoint()), directory);
    }
  }

  private TrialReport run(URI endpoint, Path directory) throws IOException, InterruptedException {
    PrintWriter progress = spec.commandLine().getErr();
    long order = seed == null ? System.currentTimeMillis() : seed;
    try (TableStorage kept = TableStorage.open(storage, directory, directory)) {
      return new FenceTrials(endpoint, directory, kept.tables(), order)
          .run(
              trials,
              done -> {
                if (done % STEP == 0 || done == trials) {
                  progress.print("\r" + done + " of " + trials + (done == trials ? "\n" : ""));
                  progress.flush();
                }
              });
    }
  }
}
