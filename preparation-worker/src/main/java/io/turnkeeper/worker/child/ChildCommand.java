package io.turnkeeper.worker.child;

import io.turnkeeper.events.storage.Storages;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a process for preparations is started: as this one was, with less memory and no secrets. */
final class ChildCommand {
  /**
   * What it needs to find programs, time zones and the data; nothing of the authority or Kafka.
   * Everybody on the machine can read a command line, so what may be a secret stays here.
   */
  private static final Pattern KEPT_VARIABLES =
      Pattern.compile("PATH|HOME|USER|LANG|LC_.*|TZ|LD_LIBRARY_PATH|RUST_.*|LANCE_.*|AWS_.*");

  private static final Pattern KEPT_OPTIONS =
      Pattern.compile("-XX:SharedArchiveFile=.*|-Xshare:.*");

  /**
   * Ctrl-C in a terminal goes to every process there; this one ends when the worker says so. What a
   * process ignores when it starts a program, the program ignores too.
   */
  private static final List<String> DEAF_TO_INTERRUPTS =
      List.of("sh", "-c", "trap '' INT; exec \"$@\"", "preparation");

  private ChildCommand() {}

  static List<String> arguments(ChildSize size, Path temporary) {
    List<String> command = new ArrayList<>(DEAF_TO_INTERRUPTS);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Xms16m",
            "-Xmx" + size.heapMib() + "m",
            "-XX:MaxDirectMemorySize=" + size.directMib() + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError",
            // Otherwise each answer of the front that counts waits for another packet.
            "-Dsun.net.httpserver.nodelay=true",
            // Standard output belongs to the answers.
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Djava.io.tmpdir=" + temporary));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> KEPT_OPTIONS.matcher(option).matches())
        .forEach(command::add);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName()));
    return command;
  }

  static Map<String, String> environment(Map<String, String> own, Path temporary) {
    Map<String, String> kept =
        own.entrySet().stream()
            .filter(entry -> KEPT_VARIABLES.matcher(entry.getKey()).matches())
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    kept.put(Storages.COUNTED_VARIABLE, "true");
    String storage = Storages.settingsFile();
    if (!storage.isEmpty()) {
      kept.put(Storages.SETTINGS_VARIABLE, storage);
    }
    // Lance spills there.
    kept.put("TMPDIR", temporary.toString());
    // Fewer arenas keep less memory that nobody uses.
    kept.put("MALLOC_ARENA_MAX", "2");
    return kept;
  }
}
