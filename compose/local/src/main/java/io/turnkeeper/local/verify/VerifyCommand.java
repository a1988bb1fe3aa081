package io.turnkeeper.local.verify;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.TableId;
import io.turnkeeper.local.Whole;
import io.turnkeeper.streams.cli.FileToRead;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Verifies a table against its writers' record and prints the verdict as one line of JSON. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Check a table against what its writers wrote down.",
      "Compares every row, which has to be there once, the index, the versions and their turns. Prints one line of JSON; exit code 1 if anything disagrees."
    })
public final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--record",
      required = true,
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "a writer's record; repeat it for each writer")
  private List<Path> records;

  @Option(names = "--etcd", required = true, paramLabel = "URL", description = "client URL of etcd")
  private URI etcd;

  @Option(
      names = "--bootstrap-servers",
      required = true,
      paramLabel = "HOST:PORT",
      description = "the brokers")
  private String bootstrap;

  @Option(names = "--table", required = true, paramLabel = "ID", description = "the table")
  private String table;

  @Option(
      names = "--index",
      defaultValue = "",
      paramLabel = "NAME",
      description = "the index that look-ups must use (default: none)")
  private String index;

  @Option(
      names = "--sample",
      defaultValue = "1000",
      converter = Whole.Count.class,
      paramLabel = "KEYS",
      description = "how many keys to look up (default: ${DEFAULT-VALUE})")
  private int sample;

  @Override
  public Integer call() throws Exception {
    Verdict verdict =
        new Verification(records, etcd, bootstrap, new TableId(table), index, sample).run();
    spec.commandLine().getOut().println(new ObjectMapper().writeValueAsString(verdict));
    spec.commandLine().getOut().flush();
    return verdict.ok() ? 0 : 1;
  }
}
