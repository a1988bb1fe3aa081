package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class CommandLineTest {
  static Stream<CommandSpec> everyCommand() {
    return below(new CommandLine(new Main()).getCommandSpec());
  }

  private static Stream<CommandSpec> below(CommandSpec spec) {
    return Stream.concat(
        Stream.of(spec),
        spec.subcommands().values().stream()
            .filter(command -> !(command.getCommand() instanceof CommandLine.HelpCommand))
            .filter(command -> !command.getCommandSpec().usageMessage().hidden())
            .flatMap(command -> below(command.getCommandSpec())));
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void everyCommandAnswersHelp(CommandSpec command) {
    assertThat(command.options()).anyMatch(OptionSpec::usageHelp);
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  void everyCommandAndOptionIsDescribed(CommandSpec command) {
    assertThat(command.usageMessage().description()).isNotEmpty();
    assertThat(command.usageMessage().description()[0]).as("a sentence").endsWith(".");
    assertThat(command.options())
        .allSatisfy(
            option -> assertThat(option.description()).as(option.longestName()).isNotEmpty());
    assertThat(command.positionalParameters())
        .allSatisfy(
            argument -> assertThat(argument.description()).as(argument.paramLabel()).isNotEmpty());
  }

  /** Each is a line of its own and is broken where the terminal ends; a part of one is not. */
  @ParameterizedTest
  @MethodSource("everyCommand")
  void everyLineOfADescriptionIsAWholeSentence(CommandSpec command) {
    assertThat(command.usageMessage().description())
        .allSatisfy(line -> assertThat(line).matches("(?s)[A-Z].*\\."));
    assertThat(command.options())
        .allSatisfy(option -> assertThat(option.description()).as(option.longestName()).hasSize(1));
  }
}
