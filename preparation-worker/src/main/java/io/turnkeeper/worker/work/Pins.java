package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.ManifestPaths;
import java.io.IOException;
import java.util.OptionalLong;
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
  static Pins of(Storage table) throws IOException {
    long lowest = Long.MAX_VALUE;
    for (String attempt : table.list(TableFiles.PREPARED).folders()) {
      lowest = Math.min(lowest, of(table, attempt));
    }
    return new Pins(lowest);
  }

  private static long of(Storage table, String attempt) throws IOException {
    String descriptor = attempt + Staging.DESCRIPTOR;
    if (table.stat(descriptor).isPresent()) {
      return described(table, descriptor);
    }
    // Nothing there: it is about to begin, or is being deleted.
    return table.list(attempt + Staging.TABLE + TableFiles.VERSIONS).files().stream()
        .map(file -> ManifestPaths.version(TableFiles.VERSIONS + file.baseName()))
        .flatMapToLong(OptionalLong::stream)
        .min()
        .orElse(ANY);
  }

  private static long described(Storage table, String descriptor) {
    try {
      return Descriptor.readVersion(table, descriptor);
    } catch (IOException e) {
      LOGGER.atWarn().setCause(e).log("all versions stay, since a preparation is not readable");
      return ANY;
    }
  }
}
