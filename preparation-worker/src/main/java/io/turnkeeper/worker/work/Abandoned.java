package io.turnkeeper.worker.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an attempt left behind whose unit is over: its worker was killed, or never learned whether
 * its commit came through. If it did, the files it promoted are the table's.
 */
final class Abandoned {
  private static final Logger LOGGER = LoggerFactory.getLogger(Abandoned.class);
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})-\\d+-\\d+");

  private final Staging staging;

  private Abandoned(Staging staging) {
    this.staging = staging;
  }

  /** Those beside {@code table} of units with a lower sequence than {@code oldestLive}. */
  static List<Abandoned> below(TableFiles table, long oldestLive) throws IOException {
    Path all = table.root().resolve(TableFiles.PREPARED);
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    try (Stream<Path> attempts = Files.list(all)) {
      return attempts
          .filter(attempt -> isBelow(attempt, oldestLive))
          .sorted()
          .map(attempt -> new Abandoned(new Staging(table, attempt)))
          .toList();
    }
  }

  private static boolean isBelow(Path attempt, long oldestLive) {
    Matcher name = NAME.matcher(attempt.getFileName().toString());
    return name.matches() && Long.parseLong(name.group(1)) < oldestLive;
  }

  /**
   * Deletes it, unless its description cannot be read: without that nobody knows what it wrote, so
   * it stays and is told of.
   *
   * @param named what belongs to the table and stays
   * @return the bytes of what was deleted in the table's own folders, empty if it stays
   */
  OptionalLong delete(TableFiles table, NamedFiles named) throws IOException {
    SortedMap<String, Long> unnamed = new TreeMap<>();
    if (Files.exists(staging.descriptor())) {
      try {
        unnamed.putAll(Descriptor.files(staging.descriptor()).sizes());
      } catch (IOException e) {
        LOGGER.atWarn().setCause(e).log("an abandoned preparation stays, since it is not readable");
        return OptionalLong.empty();
      }
      unnamed.keySet().removeIf(file -> named.has(table.root().resolve(file)));
    }
    PreparedFiles files = new PreparedFiles(table.root(), unnamed);
    files.delete();
    staging.forget();
    return OptionalLong.of(files.bytes());
  }
}
