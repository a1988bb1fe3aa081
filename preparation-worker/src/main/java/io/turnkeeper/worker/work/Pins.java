package io.turnkeeper.worker.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lowest version that a preparation reads, or may read. */
record Pins(long lowest) {
  private static final Logger LOGGER = LoggerFactory.getLogger(Pins.class);

  /** What a preparation of which nothing is known yet may read. */
  private static final long ANY = 1;

  /**
   * Looks at the preparations beside the table. One that begins after this reads the newest version
   * or a later one.
   */
  static Pins of(TableFiles table) throws IOException {
    Path all = table.root().resolve(TableFiles.PREPARED);
    long lowest = Long.MAX_VALUE;
    if (Files.isDirectory(all)) {
      try (Stream<Path> attempts = Files.list(all)) {
        for (Path attempt : attempts.toList()) {
          lowest = Math.min(lowest, of(attempt));
        }
      }
    }
    return new Pins(lowest);
  }

  private static long described(Path descriptor) {
    try {
      return Descriptor.readVersion(descriptor);
    } catch (IOException e) {
      LOGGER.atWarn().setCause(e).log("all versions stay, since a preparation is not readable");
      return ANY;
    }
  }

  private static long of(Path attempt) throws IOException {
    Path descriptor = attempt.resolve(Staging.DESCRIPTOR);
    if (Files.exists(descriptor)) {
      return described(descriptor);
    }
    Path versions = attempt.resolve(Staging.TABLE).resolve(TableFiles.VERSIONS);
    if (!Files.isDirectory(versions)) {
      // It is about to begin, or is being deleted.
      return ANY;
    }
    try (Stream<Path> manifests = Files.list(versions)) {
      List<Long> found =
          manifests
              .map(file -> TableFiles.version(file.getFileName().toString()))
              .flatMap(version -> version.stream().boxed())
              .toList();
      return found.stream().mapToLong(Long::longValue).min().orElse(ANY);
    }
  }
}
