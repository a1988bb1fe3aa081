package io.turnkeeper.local.demo;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A small demo in a temporary directory, run once after a build to archive the classes it loads.
 */
@Command(name = "warm-up", hidden = true, description = "A small demo, to archive its classes.")
public final class WarmUpCommand implements Callable<Integer> {
  @Override
  public Integer call() throws Exception {
    Path directory = Files.createTempDirectory("warm-up");
    // So small that it need not come out well; the classes are loaded either way.
    new CommandLine(new DemoCommand())
        .setOut(new PrintWriter(Writer.nullWriter()))
        .execute(
            "--index-rows=2000", "--write-seconds=2", "--data-dir=" + directory.resolve("data"));
    return 0;
  }
}
