package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.streams.cli.Directory;
import io.turnkeeper.streams.cli.FileToRead;
import io.turnkeeper.streams.cli.FileToWrite;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** What is wrong with an argument is said by its name, its value and the reason, whatever it is. */
class ArgumentsTest {
  private static final String MANY = "99999999999999999999";
  private static final Set<Class<?>> NUMBERS =
      Set.of(int.class, long.class, short.class, Integer.class, Long.class);

  @TempDir Path temp;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** An argument of a command. */
  record Argument(CommandSpec command, ArgSpec arg) {
    String name() {
      return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    /** Gives it this value, after what has to be given before it. */
    String[] with(String value) {
      List<String> given = new ArrayList<>();
      if (arg instanceof PositionalParamSpec positional) {
        for (int i = 0; i < positional.index().min(); i++) {
          given.add("t");
        }
        given.add(value);
      } else {
        given.add(name() + "=" + value);
      }
      return given.toArray(String[]::new);
    }

    @Override
    public String toString() {
      return command.qualifiedName() + " " + name();
    }
  }

  private static Stream<Argument> arguments() {
    return CommandLineTest.everyCommand()
        .flatMap(command -> command.args().stream().map(arg -> new Argument(command, arg)));
  }

  static Stream<Argument> paths() {
    return arguments()
        .filter(each -> each.arg().type() == Path.class || isListOfPaths(each.arg()))
        .filter(each -> !each.arg().hidden());
  }

  private static boolean isListOfPaths(ArgSpec arg) {
    return List.of(arg.auxiliaryTypes()).contains(Path.class);
  }

  static Stream<Argument> words() {
    return arguments().filter(each -> Set.of("--author", "--reason").contains(each.name()));
  }

  static Stream<Argument> numbers() {
    return arguments().filter(each -> NUMBERS.contains(each.arg().type()));
  }

  @ParameterizedTest
  @MethodSource("paths")
  void aPathThatCannotServeIsRefused(Argument argument) throws Exception {
    String file = Files.createFile(temp.resolve("file")).toString();
    String directory = Files.createDirectory(temp.resolve("directory")).toString();
    String missing = temp.resolve("missing/file").toString();
    switch (kind(argument)) {
      case "FileToRead" -> {
        assertRefused(argument, directory, "a file to read, but '%s' is a directory");
        assertRefused(argument, missing, "a file to read, but '%s' does not exist");
        assertRefused(argument, "", "a file to read, but the path is empty");
      }
      case "FileToWrite" -> {
        assertRefused(argument, directory, "a file to write, but '%s' is a directory");
        assertRefused(argument, missing, "a file to write, but '%s' lies in no directory");
        assertRefused(argument, "", "a file to write, but the path is empty");
      }
      default -> {
        assertRefused(argument, file, "a directory, but '%s' is a file");
        assertRefused(argument, "", "a directory, but the path is empty");
      }
    }
  }

  /** Two converters of one name: the worker does not know the scheduler's. */
  private static String kind(Argument argument) {
    assertThat(argument.arg().converters()).as("%s has a converter", argument).hasSize(1);
    String name = argument.arg().converters()[0].getClass().getSimpleName();
    assertThat(name)
        .isIn(
            FileToRead.class.getSimpleName(),
            FileToWrite.class.getSimpleName(),
            Directory.class.getSimpleName());
    return name;
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void whatIsNoNumberIsRefused(Argument argument) {
    assertRefused(argument, MANY, MANY);
    assertRefused(argument, "many", "many");
    assertThat(err.toString()).doesNotContain("is not a long", "is not an int");
  }

  @ParameterizedTest
  @MethodSource("words")
  void aTextThatSaysNothingIsRefused(Argument argument) {
    assertRefused(argument, "", "expected a text, but it is empty");
    assertRefused(argument, " ", "expected a text, but it is empty");
  }

  /** Simulate's own numbers are in its own test; a seed and a version have no bounds to check. */
  @ParameterizedTest
  @MethodSource("numbers")
  void aNumberOutOfBoundsIsRefused(Argument argument) {
    if (argument.command().name().equals("simulate")
        || Set.of("--seed", "--accept-version").contains(argument.name())) {
      return;
    }
    assertRefused(argument, "-1", "expected a ");
  }

  private static void assertRefused(Argument argument, String value, String reason) {
    CommandLine command = argument.command().commandLine();
    assertThatThrownBy(() -> command.parseArgs(argument.with(value)))
        .as("%s '%s'", argument, value)
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(argument.name())
        .hasMessageContaining(String.format(Locale.ROOT, reason, value))
        .message()
        .doesNotContain("java.");
  }

  private int run(String... arguments) {
    return Main.commandLine(() -> false)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource({
    "--steps, simulate --steps -1",
    "--steps, simulate --steps=-1",
    "--only, simulate --seed 1 --only 40-3",
    "--reason, policy set t nothing",
    "expected a command, policy",
    "expected a command, topics",
    "--table-partitions, topics create --bootstrap-servers b --table-partitions 100000",
    "--pool-partitions, topics create --bootstrap-servers b --pool-partitions 513",
    "--bogus, check --bogus",
    "simulat, simulat",
    "--etcd, register t --uri u --wal w --bootstrap-servers b --etcd http://[",
    "--until, replay --until +1000000000-12-31T23:59:59Z",
    "--since, journal t --since soon",
    "--from, backtest --policy nothing --from yesterday",
  })
  void whatIsWrongIsSaidInFewLinesAndWhereHelpIs(String wrong, String line) throws Exception {
    Path file = Files.writeString(temp.resolve("nothing"), "{}");
    assertThat(run(line.replace("nothing", file.toString()).split(" "))).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("turnkeeper: ")
        .contains(wrong)
        .containsPattern("try 'turnkeeper.* --help'\n$")
        .doesNotContain("Usage:", "Exception", "java.");
    assertThat(err.toString().lines()).hasSizeLessThanOrEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"check", "replay", "backtest --policy {}"})
  void aFileThatIsNoExportIsRefused(String command) throws Exception {
    Path policy = Files.writeString(temp.resolve("policy"), "{}");
    Path file = Files.writeString(temp.resolve("text.jsonl"), "hello\n");
    List<String> line = new ArrayList<>(List.of(command.replace("{}", "" + policy).split(" ")));
    line.add("--from-file=" + file);
    assertThat(run(line.toArray(String[]::new))).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo(
            "turnkeeper: expected what 'journal export' writes, but line 1 of %s is not%n", file);
  }

  @Test
  void aPolicyThatIsNoTextIsRefused() throws Exception {
    Path file = Files.write(temp.resolve("policy.json"), new byte[] {'{', (byte) 0xff, '}'});
    assertThat(run("policy", "validate", file.toString())).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("turnkeeper: expected text in UTF-8, but %s is not%n", file);
  }

  @Test
  void aPolicyThatHardlyAnybodyWantsIsValidAndDoubted() throws Exception {
    Path file =
        Files.writeString(temp.resolve("policy.json"), "{\"observe\": {\"rescanAfter\": \"1ms\"}}");
    assertThat(run("policy", "validate", file.toString())).isZero();
    assertThat(err.toString()).startsWith("turnkeeper: warning: observe.rescanAfter is 1 ms: ");
  }

  @Test
  void numbersAreWrittenAlikeEverywhere() {
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    try {
      Locale.setDefault(Locale.Category.FORMAT, Locale.GERMANY);
      assertThat(run("simulate", "--seeds=1", "--steps=1000", "--threads=1")).isZero();
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
    assertThat(out.toString()).contains("1 of 1,000 steps");
  }
}
