package io.turnkeeper.worker.child;

import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.RecordCodec;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running process for preparations, with a temporary directory of its own. */
final class Child {
  private static final Logger LOGGER = LoggerFactory.getLogger(Child.class);
  private static final long END_SECONDS = 30;
  private static final int LAST_WORDS = 1_000;

  private final Process process;
  private final ChildSize size;
  private final Path temporary;
  private final DataInputStream answers;
  private final DataOutputStream orders;
  private final long startedAtNanos = System.nanoTime();

  private volatile boolean killed;

  private Child(Process process, ChildSize size, Path temporary) {
    this.process = process;
    this.size = size;
    this.temporary = temporary;
    this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    this.orders = new DataOutputStream(process.getOutputStream());
  }

  static Child start(ChildSize size) throws IOException {
    Path temporary = Files.createTempDirectory("turnkeeper-preparation-");
    ProcessBuilder builder =
        new ProcessBuilder(ChildCommand.arguments(size, temporary))
            .redirectError(errors(temporary).toFile());
    builder.environment().clear();
    builder.environment().putAll(ChildCommand.environment(System.getenv(), temporary));
    return new Child(builder.start(), size, temporary);
  }

  ChildSize size() {
    return size;
  }

  long pid() {
    return process.pid();
  }

  ProcessMeter meter() {
    return ProcessMeter.of(process.pid());
  }

  /** Whether it can be given an order; a process that was killed takes a moment to end. */
  boolean isAlive() {
    return !killed && process.isAlive();
  }

  void order(RunUnit unit, RecordCodec codec) throws IOException {
    byte[] order = codec.encode(unit);
    orders.writeInt(order.length);
    orders.write(order);
    orders.flush();
  }

  /**
   * Waits for the next answer.
   *
   * @throws IOException if the process ended instead
   */
  ChildMessage next() throws IOException {
    return ChildMessage.read(answers);
  }

  /** Waits until it can be given an order. */
  void awaitIdle() throws IOException {
    ChildMessage message = next();
    if (!(message instanceof ChildMessage.Idle)) {
      throw new IOException("expected a process that waits for an order, but it said " + message);
    }
    LOGGER
        .atDebug()
        .addKeyValue("pid", pid())
        .log(
            "ready for a preparation after {} ms",
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos));
  }

  /** Ends it, whatever it does; does not wait. */
  void kill() {
    killed = true;
    process.destroyForcibly();
  }

  /** Ends it and waits until it holds nothing any more. */
  void end() throws IOException, InterruptedException {
    kill();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("expected process " + pid() + " to end when killed, but it goes on");
    }
    delete(temporary);
  }

  /** Waits until it has ended. */
  ChildEnd awaitEnd() throws InterruptedException {
    return new ChildEnd(process.waitFor());
  }

  /** The end of what it wrote to its error output, behind a colon; empty if it wrote nothing. */
  String lastWords() throws IOException {
    String errors = Files.readString(errors(temporary), StandardCharsets.UTF_8).strip();
    String tail = errors.substring(Math.max(0, errors.length() - LAST_WORDS));
    return tail.isEmpty() ? "" : ": " + tail;
  }

  private static Path errors(Path temporary) {
    return temporary.resolve("errors");
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    }
  }
}
