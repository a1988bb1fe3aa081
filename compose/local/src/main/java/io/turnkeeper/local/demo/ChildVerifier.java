package io.turnkeeper.local.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.local.LocalNode;
import io.turnkeeper.local.verify.Verdict;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs the verification in a process of its own, which shares nothing with this one but files. */
final class ChildVerifier {
  private static final int SAMPLED_KEYS = 1_000;
  private static final long TIMEOUT_SECONDS = 120;

  private ChildVerifier() {}

  static Verdict run(LocalNode node, List<Path> records) throws IOException, InterruptedException {
    Path temporary = Files.createTempDirectory("verify");
    Path errors = node.data().logs().resolve("verify.log");
    ProcessBuilder builder =
        new ProcessBuilder(command(node, records, temporary))
            .redirectError(errors.toFile())
            .redirectOutput(temporary.resolve("verdict.json").toFile());
    if (!Storages.settingsFile().isEmpty()) {
      builder.environment().put(Storages.SETTINGS_VARIABLE, Storages.settingsFile());
    }
    Process child = builder.start();
    try {
      if (!child.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "the verification took longer than " + TIMEOUT_SECONDS + " s, its log is " + errors);
      }
    } finally {
      child.destroyForcibly();
    }
    String line = Files.readString(temporary.resolve("verdict.json"), StandardCharsets.UTF_8);
    if (line.isBlank()) {
      throw new IOException(
          "the verification ended with code " + child.exitValue() + ", its log is " + errors);
    }
    return new ObjectMapper().readValue(line, Verdict.class);
  }

  private static List<String> command(LocalNode node, List<Path> records, Path temporary) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (isShared(argument)) {
        command.add(argument);
      }
    }
    command.addAll(
        List.of(
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            "io.turnkeeper.local.Main",
            "verify",
            "--etcd=" + node.etcd(),
            "--bootstrap-servers=" + node.bootstrap(),
            "--table=" + DemoTable.ID,
            "--index=" + DemoPolicies.INDEX,
            "--sample=" + SAMPLED_KEYS));
    records.forEach(record -> command.add("--record=" + record));
    return command;
  }

  // Module access, memory and class data are the same; what names this process is not.
  private static boolean isShared(String argument) {
    return argument.startsWith("--add-opens")
        || (argument.startsWith("-X") && !argument.startsWith("-XX:ArchiveClassesAtExit"));
  }
}
