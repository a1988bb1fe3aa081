package io.turnkeeper.worker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file system of a test's own, where the system lets it have one; elsewhere the test is skipped.
 */
final class Mount implements AutoCloseable {
  private final Path directory;

  private Mount(Path directory) {
    this.directory = directory;
  }

  /** A small disk in memory. */
  static Mount ofBytes(Path directory, long bytes) throws IOException {
    Files.createDirectories(directory);
    return mounted(directory, "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", directory.toString());
  }

  /** The same directory, so that it can be made read-only. */
  static Mount over(Path directory) {
    return mounted(directory, "--bind", directory.toString(), directory.toString());
  }

  private static Mount mounted(Path directory, String... arguments) {
    assumeTrue(run("mount", arguments) == 0, "may not mount");
    return new Mount(directory);
  }

  void readOnly(boolean only) throws IOException {
    String mode = only ? "remount,bind,ro" : "remount,bind,rw";
    if (run("mount", "-o", mode, directory.toString()) != 0) {
      throw new IOException("cannot make " + directory + " " + mode);
    }
  }

  /** Writes until nothing more goes in; {@link #empty} takes it out again. */
  void fill() throws IOException {
    byte[] block = new byte[4_096];
    try (var filler = Files.newOutputStream(filler())) {
      while (true) {
        filler.write(block);
      }
    } catch (IOException e) {
      if (!String.valueOf(e.getMessage()).contains("No space left")) {
        throw e;
      }
    }
  }

  void empty() throws IOException {
    Files.delete(filler());
  }

  private Path filler() {
    return directory.resolve("filler");
  }

  @Override
  public void close() throws IOException {
    if (run("umount", "--lazy", directory.toString()) != 0) {
      throw new IOException("cannot unmount " + directory);
    }
  }

  private static int run(String command, String... arguments) {
    List<String> line = Stream.concat(Stream.of(command), Arrays.stream(arguments)).toList();
    try {
      return new ProcessBuilder(line).start().waitFor();
    } catch (IOException e) {
      // There is no such program here.
      return -1;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
