package io.turnkeeper.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A private etcd as a child process, on loopback ports and a directory of its own.
 *
 * <p>A small shell stands between: it holds the other end of this process's pipe and stops etcd
 * when the pipe closes, which happens even when this process is killed.
 */
final class EtcdProcess implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(EtcdProcess.class);
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
  private static final int PROBE_MILLIS = 1_000;

  // etcd gets a session of its own, so that Ctrl-C in a terminal does not stop it before those who
  // still need it. The first argument is the file that names its process.
  private static final String WATCHED =
      """
      exec 3<&0
      pidfile=$1; shift
      "$@" </dev/null 3<&- &
      child=$!
      echo "$child" >"$pidfile"
      { cat <&3 >/dev/null; kill "$child" 2>/dev/null; } &
      wait "$child"
      """;

  private final Process shell;
  private final Path pidFile;
  private final Path log;
  private final String endpoint;

  private EtcdProcess(Process shell, Path pidFile, Path log, String endpoint) {
    this.shell = shell;
    this.pidFile = pidFile;
    this.log = log;
    this.endpoint = endpoint;
  }

  /** Starts etcd on {@code directory} and returns at once; see {@link #awaitHealthy()}. */
  static EtcdProcess start(Path binary, Path directory, Path log, int port, int peerPort) {
    Path pidFile = directory.resolve("etcd.pid");
    try {
      Files.createDirectories(directory);
      Files.createDirectories(log.toAbsolutePath().getParent());
      endLeftover(pidFile, directory);
      ProcessBuilder builder =
          new ProcessBuilder(command(binary, directory, pidFile, log, port, peerPort))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      // etcd takes settings from there too, and these belong to another one.
      builder.environment().keySet().removeIf(name -> name.startsWith("ETCD_"));
      return new EtcdProcess(builder.start(), pidFile, log, "http://127.0.0.1:" + port);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + binary, e);
    }
  }

  /**
   * Ends an etcd that still runs on {@code directory}: it outlives a killed parent for a moment.
   */
  static void endLeftover(Path pidFile, Path directory) {
    leftover(pidFile, directory)
        .ifPresent(
            process -> {
              process.destroy();
              end(process);
            });
  }

  String endpoint() {
    return endpoint;
  }

  /**
   * Checks that etcd runs.
   *
   * @throws IllegalStateException if it has ended
   */
  void requireRunning() {
    if (!shell.isAlive()) {
      throw new IllegalStateException(
          "etcd ended with code " + shell.exitValue() + ", its log is " + log);
    }
  }

  /** Waits until etcd answers that it is healthy. */
  void awaitHealthy() {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (!isHealthy()) {
      requireRunning();
      if (System.nanoTime() > deadline) {
        close();
        throw new IllegalStateException(
            "etcd was not healthy after " + START_TIMEOUT.toSeconds() + " s, its log is " + log);
      }
      pause();
    }
  }

  /** What the end of this process does too: the shell then stops etcd. */
  void closePipe() {
    try {
      shell.getOutputStream().close();
    } catch (IOException e) {
      LOGGER.atDebug().setCause(e).log("the pipe to etcd was closed before");
    }
  }

  @Override
  public void close() {
    closePipe();
    try {
      if (!shell.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOGGER.atWarn().log("etcd did not stop in time and is killed");
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
      }
      Files.deleteIfExists(pidFile);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + pidFile, e);
    }
  }

  private static List<String> command(
      Path binary, Path directory, Path pidFile, Path log, int port, int peerPort) {
    String client = "http://127.0.0.1:" + port;
    String peer = "http://127.0.0.1:" + peerPort;
    List<String> command = new ArrayList<>(ownSession());
    command.addAll(List.of("sh", "-c", WATCHED, "etcd-watch", pidFile.toString()));
    command.addAll(
        List.of(
            binary.toString(),
            "--name=turnkeeper",
            "--data-dir=" + directory.resolve("data"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=turnkeeper=" + peer,
            "--initial-cluster-state=new",
            "--auto-compaction-retention=1",
            "--logger=zap",
            "--log-outputs=" + log,
            "--log-level=warn"));
    return command;
  }

  private static List<String> ownSession() {
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      return List.of("/usr/bin/setsid");
    }
    if (Files.isExecutable(Path.of("/usr/bin/perl"))) {
      return List.of("/usr/bin/perl", "-e", "setpgrp(0, 0); exec @ARGV or die $!");
    }
    return List.of();
  }

  private static Optional<ProcessHandle> leftover(Path pidFile, Path directory) {
    try {
      if (!Files.exists(pidFile)) {
        return Optional.empty();
      }
      String pid = Files.readString(pidFile).strip();
      if (!pid.matches("[0-9]{1,9}")) {
        return Optional.empty();
      }
      // The number may belong to somebody else by now, so the command line decides.
      return ProcessHandle.of(Long.parseLong(pid))
          .filter(
              process -> process.info().commandLine().orElse("").contains(directory.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + pidFile, e);
    }
  }

  private static void end(ProcessHandle process) {
    long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos();
    while (process.isAlive()) {
      if (System.nanoTime() > deadline) {
        process.destroyForcibly();
      }
      pause();
    }
  }

  private boolean isHealthy() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(endpoint + "/health").toURL().openConnection();
      connection.setConnectTimeout(PROBE_MILLIS);
      connection.setReadTimeout(PROBE_MILLIS);
      try (var body = connection.getInputStream()) {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8).contains("\"true\"");
      }
    } catch (IOException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for etcd", e);
    }
  }
}
