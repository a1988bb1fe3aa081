package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an attempt left behind whose unit is over: its worker was killed, or never learned whether
 * its commit came through. If it did, the files it promoted are the table's.
 */
final class Abandoned {
  private static final Logger LOGGER = LoggerFactory.getLogger(Abandoned.class);
  private static final Pattern NAME =
      Pattern.compile(TableFiles.PREPARED + "(\\d{1,18})-\\d+-\\d+/");

  private final Storage table;
  private final Staging staging;

  private Abandoned(Storage table, Staging staging) {
    this.table = table;
    this.staging = staging;
  }

  /** Those beside {@code table} of units with a lower sequence than {@code oldestLive}. */
  static List<Abandoned> below(Storage table, long oldestLive) throws IOException {
    return table.list(TableFiles.PREPARED).folders().stream()
        .filter(attempt -> isBelow(attempt, oldestLive))
        .map(attempt -> new Abandoned(table, Staging.in(table, attempt)))
        .toList();
  }

  private static boolean isBelow(String attempt, long oldestLive) {
    Matcher name = NAME.matcher(attempt);
    return name.matches() && Long.parseLong(name.group(1)) < oldestLive;
  }

  /**
   * Deletes it, unless its description cannot be read: without that nobody knows what it wrote, so
   * it stays and is told of.
   *
   * @param named what belongs to the table and stays
   * @return the bytes of what was deleted in the table's own folders, empty if it stays
   */
  OptionalLong delete(NamedFiles named) throws IOException {
    SortedMap<String, Long> unnamed = new TreeMap<>();
    if (table.stat(staging.descriptor()).isPresent()) {
      try {
        unnamed.putAll(Descriptor.files(table, staging.descriptor()).sizes());
      } catch (IOException e) {
        LOGGER.atWarn().setCause(e).log("an abandoned preparation stays, since it is not readable");
        return OptionalLong.empty();
      }
      unnamed.keySet().removeIf(named::has);
    }
    PreparedFiles files = new PreparedFiles(table, unnamed);
    files.delete();
    staging.forget();
    return OptionalLong.of(files.bytes());
  }
}
