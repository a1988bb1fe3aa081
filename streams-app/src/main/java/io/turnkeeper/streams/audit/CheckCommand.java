package io.turnkeeper.streams.audit;

import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    Problems problems = new Problems();
    JournalCheck tables = new JournalCheck(problems);
    JournalCheck pools = new JournalCheck(problems);
    try (History history = source.open(new RecordCodec(), null)) {
      history.tables(tables::take);
      history.pools(pools::take);
    }
    tables.end();
    if (tables.entries() + pools.entries() == 0) {
      throw new ConfigException(
          "NOTHING: the journals have no entry, so there is nothing to check");
    }
    out.printf(
        "tables: %,d entries, %,d decisions; %,d units opened, %,d ended; %,d turns granted;"
            + " %,d versions%n",
        tables.entries(),
        tables.decisions(),
        tables.sum(TableCheck::opened),
        tables.sum(TableCheck::ended),
        tables.sum(TableCheck::turns),
        tables.sum(TableCheck::versions));
    out.printf("pools: %,d entries, %,d decisions%n", pools.entries(), pools.decisions());
    tables.notes().forEach(out::println);
    pools.notes().forEach(out::println);
    problems.told().forEach(problem -> out.println("BROKEN " + problem));
    if (problems.count() == 0) {
      out.println("all hold");
    } else {
      out.printf("%,d broken%n", problems.count());
    }
    out.flush();
    return problems.count() == 0 ? 0 : 1;
  }
}
