package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the generations of a log lie and how their files are named. */
public final class WalLayout {
  private static final Pattern FILE_NAME = Pattern.compile("(\\d{20})\\.arrow");
  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://.*");

  private WalLayout() {}

  /** The file name of a generation; names sort as their generations do. */
  public static String fileName(long generation) {
    return String.format("%020d.arrow", generation);
  }

  /**
   * The generation of a file, empty if the name is no generation's, as that of a temporary file.
   */
  public static OptionalLong generationOf(String fileName) {
    Matcher matcher = FILE_NAME.matcher(fileName);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    try {
      long generation = Long.parseLong(matcher.group(1));
      return generation > 0 ? OptionalLong.of(generation) : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // Twenty digits can exceed a long; no writer counts that far.
    }
  }

  /** The shard of a folder, empty if the name is no shard's. */
  public static Optional<ShardId> shardOf(Path folder) {
    try {
      return Optional.of(new ShardId(folder.getFileName().toString()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The file of one generation. */
  public static Path file(String walUri, ShardId shard, long generation) {
    return folder(walUri, shard).resolve(fileName(generation));
  }

  /** The folder of a shard. */
  public static Path folder(String walUri, ShardId shard) {
    return root(walUri).resolve(shard.value());
  }

  /**
   * The folder that holds one folder for each shard.
   *
   * @param walUri a path, or a {@code file} URI
   * @throws IllegalArgumentException if it is neither
   */
  public static Path root(String walUri) {
    if (walUri.startsWith("file:")) {
      return Path.of(URI.create(walUri));
    }
    if (SCHEME.matcher(walUri).matches()) {
      throw new IllegalArgumentException(
          "expected a local path or a file URI for the log, but it is " + walUri);
    }
    return Path.of(walUri);
  }
}
