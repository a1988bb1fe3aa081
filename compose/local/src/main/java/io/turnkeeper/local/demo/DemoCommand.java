package io.turnkeeper.local.demo;

import io.turnkeeper.local.DataDir;
import io.turnkeeper.local.LocalNode;
import io.turnkeeper.local.NodeOptions;
import io.turnkeeper.local.StartProgress;
import io.turnkeeper.local.TableStorage;
import io.turnkeeper.local.Whole;
import io.turnkeeper.streams.ConsoleProgress;
import io.turnkeeper.streams.cli.Directory;
import io.turnkeeper.streams.cli.FileToRead;
import io.turnkeeper.streams.cli.FileToWrite;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes real rows into a table that is kept in shape meanwhile, and checks the result. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Watch a real Lance table being kept in shape, then see it verified.",
      "Two writers seal generations of real rows; they are merged, fragments compacted and an"
          + " index built outside the write turn, every commit fenced through etcd. At the end a"
          + " process of its own checks the table against what the writers wrote down. Exit code 1"
          + " if anything disagrees."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String MARKER = "demo";

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "an Arrow IPC file with the rows to write (default: 20,000 real flights)")
  private @Nullable Path data;

  @Option(
      names = "--index-rows",
      paramLabel = "N",
      defaultValue = "5000000",
      converter = Whole.Rows.class,
      description =
          "rows to load first, so that there is an index to prepare (default: ${DEFAULT-VALUE})")
  private long indexRows;

  @Option(
      names = "--write-seconds",
      paramLabel = "N",
      defaultValue = "20",
      converter = Whole.Count.class,
      description = "how long the writers write (default: ${DEFAULT-VALUE})")
  private int writeSeconds;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      converter = Directory.class,
      defaultValue = ".turnkeeper/demo",
      description =
          "where everything is kept; an earlier demo there is removed (default: ${DEFAULT-VALUE})")
  private Path dataDir;

  @Option(
      names = "--storage",
      paramLabel = "local|s3",
      defaultValue = "local",
      description =
          "where the table lies: in the data directory, or in a bucket of an S3 server that is"
              + " started there (default: ${DEFAULT-VALUE})")
  private TableStorage.Choice storage;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      converter = FileToWrite.class,
      description = "write the report as JSON too")
  private @Nullable Path report;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Path rows = data == null ? shippedData() : data;
    requireArrow(rows);
    Stage stage = new Stage();
    DemoReport result;
    try (DataDir directory = DataDir.openFresh(dataDir, MARKER)) {
      directory.logHere();
      out.printf("turnkeeper demo: everything is kept in %s%n", directory.root());
      out.flush();
      try (TableStorage kept = TableStorage.open(storage, directory.root(), directory.logs());
          LocalNode node = started(directory, out)) {
        result = new DemoRun(node, options(kept, rows), stage).run(out);
      }
    }
    out.println();
    out.print(result.forPeople());
    out.flush();
    if (report != null) {
      result.write(report);
    }
    return result.ok() ? 0 : 1;
  }

  private static LocalNode started(DataDir directory, PrintWriter out) throws InterruptedException {
    try (StartProgress progress = new StartProgress(out)) {
      return LocalNode.start(
          directory,
          NodeOptions.DEFAULT.withTargetRows(DemoPolicies.TARGET_ROWS),
          new ConsoleProgress(out),
          progress::waitsFor);
    }
  }

  private DemoOptions options(TableStorage kept, Path rows) {
    return new DemoOptions(
        kept.tables(),
        rows,
        indexRows,
        Duration.ofSeconds(writeSeconds),
        Boolean.getBoolean("turnkeeper.terminal"));
  }

  /** Before anything is started, so that a wrong file costs nothing. */
  private static void requireArrow(Path file) {
    try (BufferAllocator allocator = new RootAllocator()) {
      RowSource.open(file, allocator).close();
    }
  }

  private static Path shippedData() {
    Path home = Path.of(System.getProperty("turnkeeper.home", "."));
    return home.resolve("data").resolve("flights-20k.arrow");
  }
}
