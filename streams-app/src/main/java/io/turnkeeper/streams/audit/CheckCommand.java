package io.turnkeeper.streams.audit;

import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import io.turnkeeper.streams.OutputForm;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Proves over the whole journal what must always hold. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Prove the invariants from journal and decisions alone.",
      "They are: gap-free sequences and decisions, inputs folded once, one open turn, rising turns,"
          + " versions rising by one under granted turns, one live unit a kind, one end for each"
          + " unit, places within what executors have. Exit code 1 if one is broken."
    })
public final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private HistoryOptions source = new HistoryOptions();

  @Option(
      names = "--output",
      defaultValue = "table",
      paramLabel = "FORM",
      description = "table for people, json for programs (default: ${DEFAULT-VALUE})")
  private OutputForm output = OutputForm.TABLE;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Problems problems = new Problems();
    JournalCheck tables = new JournalCheck("tables", problems);
    JournalCheck pools = new JournalCheck("pools", problems);
    try (History history = source.open(new RecordCodec(), null)) {
      history.tables(tables::take);
      history.pools(pools::take);
    }
    tables.end();
    if (tables.entries() + pools.entries() == 0) {
      throw new ConfigException(
          "NOTHING: the journals have no entry, so there is nothing to check");
    }
    CheckReport report = new CheckReport(tables, pools, problems);
    if (output == OutputForm.JSON) {
      out.println(report.json());
    } else {
      report.lines().forEach(out::println);
    }
    out.flush();
    return report.holds() ? 0 : 1;
  }
}
