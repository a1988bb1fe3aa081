package io.turnkeeper.streams;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PolicyEvent.Action;
import io.turnkeeper.core.table.PolicyEvent.GenerationSkipped;
import io.turnkeeper.core.table.PolicyEvent.OperatorActed;
import io.turnkeeper.core.table.Shard;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.streams.cli.Accountable;
import io.turnkeeper.streams.cli.PositiveNumber;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code act}: what an operator does by hand with one table. */
@Command(
    name = "act",
    mixinStandardHelpOptions = true,
    description = "Pause, resume, trigger or cancel work on a table, or skip a bad generation.")
public final class ActCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, but there is none");
  }

  /** The table, and which of its work is meant. */
  static final class Target {
    @Parameters(index = "0", paramLabel = "TABLE", description = "the table")
    private String table = "";

    @Parameters(
        index = "1",
        arity = "0..1",
        paramLabel = "KIND",
        description = "one of ${COMPLETION-CANDIDATES}; all of them if left out")
    private @Nullable Kind kind;
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Begins nothing more of a kind until it is resumed; what runs goes on.")
  void pause(@Mixin Target target, @Mixin Accountable by, @Mixin KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    act(Action.PAUSE, target, by, kafka);
  }

  @Command(mixinStandardHelpOptions = true, description = "Takes back a pause.")
  void resume(@Mixin Target target, @Mixin Accountable by, @Mixin KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    act(Action.RESUME, target, by, kafka);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Begins a kind as soon as it may, and forgets what failed before.")
  void trigger(@Mixin Target target, @Mixin Accountable by, @Mixin KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    act(Action.TRIGGER, target, by, kafka);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Ends what runs of a kind; it begins again when it is due.")
  void cancel(@Mixin Target target, @Mixin Accountable by, @Mixin KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    act(Action.CANCEL, target, by, kafka);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Leaves out the generation that stops a shard: its rows are not merged.")
  void skip(
      @Parameters(index = "0", paramLabel = "TABLE", description = "the table") String table,
      @Parameters(index = "1", paramLabel = "SHARD", description = "the shard that stands still")
          String shard,
      @Parameters(
              index = "2",
              paramLabel = "GENERATION",
              converter = PositiveNumber.class,
              description = "its bad generation, as 'describe' names it")
          long generation,
      @Mixin Accountable by,
      @Mixin KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    OperatorEvents events = OperatorEvents.by(kafka);
    TableSnapshot known = known(events, table);
    ShardId id = shard(shard);
    requireBad(known, id, generation);
    send(
        events,
        new GenerationSkipped(
            known.state().table(),
            known.state().incarnation(),
            id,
            generation,
            by.author(),
            by.reason()));
  }

  /** To skip a good generation would lose its rows for nothing. */
  private static void requireBad(TableSnapshot known, ShardId id, long generation)
      throws ConfigException {
    Shard shard = known.state().shards().get(id);
    if (shard == null) {
      throw new ConfigException(
          "NO_SUCH_SHARD: expected one of "
              + known.state().shards().keySet()
              + ", but it is '"
              + id
              + "'");
    }
    if (shard.badGeneration() == 0 || shard.badGeneration() != generation) {
      throw new ConfigException(
          "NOT_BAD: expected the generation that stops shard "
              + id
              + ", but "
              + (shard.badGeneration() == 0 ? "none does" : "that is " + shard.badGeneration()));
    }
  }

  private void act(Action action, Target target, Accountable by, KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    OperatorEvents events = OperatorEvents.by(kafka);
    TableId table = known(events, target.table).state().table();
    send(events, new OperatorActed(table, action, target.kind, by.author(), by.reason()));
  }

  private void send(OperatorEvents events, PolicyEvent event)
      throws ConfigException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.println(events.send(event));
    out.flush();
  }

  private TableSnapshot known(OperatorEvents events, String text) throws ConfigException {
    TableId table = table(text);
    return events.known(table).orElseThrow(() -> ConfigException.noSuchTable(table));
  }

  private TableId table(String text) {
    try {
      return new TableId(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ShardId shard(String text) {
    try {
      return new ShardId(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
