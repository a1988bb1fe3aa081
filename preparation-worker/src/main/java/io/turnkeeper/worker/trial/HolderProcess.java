package io.turnkeeper.worker.trial;

import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.worker.ZombieHolder;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A {@link ZombieHolder} as a child process that can be stopped and continued. */
final class HolderProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final String ENDED = "ENDED";

  private final Process process;
  private final Path log;
  private final BufferedWriter orders;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  private HolderProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.orders =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    Thread reader = new Thread(this::listen, "trial-holder");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts one, with the classes of this process, and waits until it takes orders.
   *
   * @param directory for its temporary files and its log
   */
  static HolderProcess start(URI etcd, String prefix, Path directory)
      throws IOException, InterruptedException {
    Path log = directory.resolve("holder.log");
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            ZombieHolder.class.getName(),
            etcd.toString(),
            prefix);
    if (!Storages.settingsFile().isEmpty()) {
      command.environment().put(Storages.SETTINGS_VARIABLE, Storages.settingsFile());
    }
    command.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    HolderProcess holder = new HolderProcess(command.start(), log);
    holder.await("", "STARTED"::equals);
    return holder;
  }

  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(ZombieHolder.MARK)) {
          said.add(line.substring(ZombieHolder.MARK.length()));
        }
      }
    } catch (IOException e) {
      said.add(ENDED + " " + e);
    }
    said.add(ENDED);
  }

  /** Gives an order; a stopped process takes it when it is continued. */
  void order(String... words) throws IOException {
    orders.write(String.join("\t", words));
    orders.newLine();
    orders.flush();
  }

  /** The next line of that trial for which {@code wanted} holds; others are passed over. */
  String await(String trial, Predicate<String> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String prefix = trial + " ";
    while (true) {
      String line = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null || line.startsWith(ENDED)) {
        throw new IllegalStateException(
            "expected an answer of the holder in %s, but %s; its log is %s"
                .formatted(PATIENCE, line == null ? "there is none" : "it ended", log));
      }
      if (line.startsWith(prefix) && wanted.test(line.substring(prefix.length()))) {
        return line.substring(prefix.length());
      }
    }
  }

  /** Stops every thread of it, and waits until the system says that it stands. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!stands()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("expected the holder to stand still after SIGSTOP");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private boolean stands() throws IOException, InterruptedException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    String state =
        Files.exists(status)
            ? Files.readString(status)
                .lines()
                .filter(l -> l.startsWith("State:"))
                .findAny()
                .orElse("")
            : output("ps -o state= -p " + process.pid());
    return state.replace("State:", "").strip().startsWith("T");
  }

  private void signal(String name) throws IOException, InterruptedException {
    output("kill -" + name + " " + process.pid());
  }

  /** By way of a shell, which has "kill" built in. */
  private static String output(String script) throws IOException, InterruptedException {
    Process shell = new ProcessBuilder(List.of("sh", "-c", script)).start();
    String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (shell.waitFor() != 0) {
      throw new IOException("expected '" + script + "' to succeed, but it did not");
    }
    return output;
  }

  @Override
  public void close() {
    // SIGKILL ends a stopped process too.
    process.destroyForcibly();
  }
}
