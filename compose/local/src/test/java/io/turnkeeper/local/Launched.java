package io.turnkeeper.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The built program, started as a user starts it: in a process of its own. */
public final class Launched implements AutoCloseable {
  private static final Path HOME = Path.of("target", "turnkeeper").toAbsolutePath();
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  /** Twice what counts as progress: a look in the middle leaves enough on one of its sides. */
  private static final long SOME_BYTES = 32 << 10;

  private static final Pattern UP =
      Pattern.compile("turnkeeper is up: kafka=(\\S+) etcd=(\\S+) reads=(\\S+) data=(\\S+)");

  private final String what;
  private final Process process;
  private final Path output;

  private Launched(String what, Process process, Path output) {
    this.what = what;
    this.process = process;
    this.output = output;
  }

  /** Where a started node listens. */
  public record Addresses(String kafka, String etcd, String reads) {}

  /** Starts the command line with these arguments; its output goes to a file in {@code folder}. */
  public static Launched start(Path folder, String javaOptions, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("start").toString()));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(folder, "started", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("TURNKEEPER_JAVA_OPTS", javaOptions);
    return new Launched(javaOptions + " " + command, builder.start(), output);
  }

  /** Waits until {@code up} says where it listens. */
  public Addresses awaitUp(Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Matcher matcher = UP.matcher(output());
      if (matcher.find()) {
        return new Addresses(matcher.group(1), matcher.group(2), matcher.group(3));
      }
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new AssertionError("expected " + what + " to be up, but it said: " + output());
      }
      Thread.sleep(50);
    }
  }

  /** Waits for the end and answers the exit code. */
  public int awaitExit(Duration limit) throws IOException, InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("expected " + what + " to end, but it goes on: " + output());
    }
    return process.exitValue();
  }

  /** Asks it to stop, as a service manager does, and answers how long that took. */
  public Duration stop() throws IOException, InterruptedException {
    long before = System.nanoTime();
    process.destroy();
    awaitExit(STOP_LIMIT);
    return Duration.ofNanos(System.nanoTime() - before);
  }

  /** Ends it without any warning. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Stops every thread of it, as a machine does that is suspended or has no memory left. */
  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on where it stood. */
  public void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (code != 0) {
      throw new AssertionError("expected to send " + name + " to " + what + ", but got " + code);
    }
  }

  /** Stops every thread of its children with this text; whatever they are given takes for ever. */
  public List<ProcessHandle> freezeDescendants(String text)
      throws IOException, InterruptedException {
    return signal("STOP", text);
  }

  /** Lets its children with this text go on. */
  public void thawDescendants(String text) throws IOException, InterruptedException {
    signal("CONT", text);
  }

  /**
   * Lets its stopped children with this text go on until one has read or written enough to count as
   * progress, and stops them again: a fast machine gets no further than a slow one.
   */
  public void moveSomeBytes(String text) throws IOException, InterruptedException {
    List<ProcessHandle> children = descendants(text).toList();
    List<Long> before = new ArrayList<>();
    for (ProcessHandle child : children) {
      before.add(movedBytes(child));
    }
    signal("CONT", text);
    long deadline = System.nanoTime() + STOP_LIMIT.toNanos();
    while (!hasMoved(children, before)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected one of " + children + " to go on");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    signal("STOP", text);
  }

  private static boolean hasMoved(List<ProcessHandle> children, List<Long> before)
      throws IOException {
    for (int i = 0; i < children.size(); i++) {
      if (movedBytes(children.get(i)) >= before.get(i) + SOME_BYTES) {
        return true;
      }
    }
    return false;
  }

  private static long movedBytes(ProcessHandle child) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(child.pid()), "io")).stream()
        .filter(line -> line.startsWith("rchar:") || line.startsWith("wchar:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  private List<ProcessHandle> signal(String name, String text)
      throws IOException, InterruptedException {
    List<ProcessHandle> children = descendants(text).toList();
    for (ProcessHandle child : children) {
      // One that is gone meanwhile is none of them.
      new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start().waitFor();
    }
    return children;
  }

  /** Waits until it has printed this. */
  public void awaitSaid(String text, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!output().contains(text)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new AssertionError(
            "expected " + what + " to say '" + text + "', but it said: " + output());
      }
      Thread.sleep(50);
    }
  }

  /** All it has printed so far. */
  public String output() throws IOException {
    return Files.readString(output);
  }

  /** A child of it whose command line has this text. */
  public Optional<ProcessHandle> descendant(String text) {
    return descendants(text).findFirst();
  }

  private Stream<ProcessHandle> descendants(String text) {
    return process
        .descendants()
        .filter(child -> child.info().commandLine().orElse("").contains(text));
  }

  /** Ends it, in order if it still can. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
