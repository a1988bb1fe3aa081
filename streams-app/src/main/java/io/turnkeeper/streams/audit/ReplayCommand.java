package io.turnkeeper.streams.audit;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.RecordJson;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import io.turnkeeper.streams.KnownState;
import io.turnkeeper.streams.Replay;
import io.turnkeeper.streams.ReplayOptions;
import io.turnkeeper.streams.cli.SequenceOrTime;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Rebuilds the states from history and compares them with those that are there. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Rebuild all states from the journal and compare them with the live ones.",
      "Each table's and pool's state is compared, by digest, with what readers are shown and what"
          + " the stores hold. Changes nothing. Exit code 1 at a difference."
    })
public final class ReplayCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private HistoryOptions source = new HistoryOptions();

  @Option(
      names = "--verify",
      description = "also decide again, and stop at the first decision that differs")
  private boolean verify;

  @Option(
      names = "--table",
      paramLabel = "T",
      description = "compare only this table, and print its rebuilt state")
  private @Nullable String table;

  @Option(
      names = "--until",
      paramLabel = "SEQ|TIME",
      converter = SequenceOrTime.Converter.class,
      description = "stop after that entry, or at that time, like 2026-01-31T12:00:00Z")
  private @Nullable SequenceOrTime until;

  @Override
  public Integer call() throws Exception {
    TableId id;
    ReplayOptions options;
    try {
      id = table == null ? null : new TableId(table);
      options = ReplayOptions.of(verify, table, until);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    RecordCodec codec = new RecordCodec();
    PrintWriter out = spec.commandLine().getOut();
    try (History history = source.open(codec, id)) {
      List<KnownState> known = history.known();
      Replay<?> tables = Replay.ofTables(codec, options, known);
      history.tables(tables::take);
      if (tables.isEmpty()) {
        throw new ConfigException(
            "NOTHING: the tables' journal has no entry"
                + (until == null ? "" : " until then")
                + ", so there is nothing to compare");
      }
      Object state = table == null ? null : tables.state(table);
      if (table != null && state == null) {
        throw ConfigException.noSuchTable(until == null ? table : table + " until then");
      }
      boolean good = told("tables", tables, true);
      if (state == null) {
        Replay<?> pools = Replay.ofPools(codec, options, known);
        history.pools(pools::take);
        // A pool's journal is kept for a month; that its beginning is gone is no fault.
        good &= told("pools", pools, false);
      } else {
        out.println(new RecordJson(codec).of(state));
      }
      out.flush();
      return good ? 0 : 1;
    }
  }

  private boolean told(String half, Replay<?> replay, boolean cutIsBad) {
    replay.end();
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: %,d entries and %,d decisions folded, %,d states compared%s%n",
        half,
        replay.entries(),
        replay.decisions(),
        replay.compared(),
        replay.difference() == null && replay.compared() > 0 ? ", all equal" : "");
    if (verify) {
      out.printf(
          "%s: %,d decisions made again by rules %d, %s%n",
          half,
          replay.decidedAgain(),
          TableRules.VERSION,
          replay.difference() == null ? "all as recorded" : "up to the difference");
    }
    if (replay.otherVersions() > 0) {
      out.printf(
          "%s: %,d entries were decided by other rules and only folded%n",
          half, replay.otherVersions());
    }
    replay.cut().forEach(out::println);
    if (replay.difference() != null) {
      out.println("DIFFERENCE in " + half + ": " + replay.difference());
    }
    return replay.difference() == null && (replay.cut().isEmpty() || !cutIsBad);
  }
}
