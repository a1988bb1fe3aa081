package io.turnkeeper.local;

import java.io.PrintWriter;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with the arguments, in so few lines that the reason stays in sight. */
final class UsageErrors implements IParameterExceptionHandler {
  /** How picocli quotes what a converter threw; the name of its class helps nobody. */
  private static final Pattern THROWN = Pattern.compile("\\((?:\\w+\\.)+\\w*Exception: ");

  /** How picocli names Java's types of numbers. */
  private static final Pattern NUMBER = Pattern.compile("is not an? (int|long)$");

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String reason = THROWN.matcher(String.valueOf(e.getMessage())).replaceAll("(");
    err.println(
        "turnkeeper: "
            + NUMBER
                .matcher(reason)
                .replaceFirst("is not a whole number, or is too large for one"));
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("try '" + command.getCommandSpec().qualifiedName() + " --help'");
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }
}
