package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where the generations of a log lie and how their files are named. */
public final class WalLayout {
  private static final Pattern FILE_NAME = Pattern.compile("(\\d{20})\\.arrow");

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

  /**
   * The shard of a folder below a log, empty if the name is no shard's.
   *
   * @param folder with a slash at its end
   */
  public static Optional<ShardId> shardOf(String folder) {
    try {
      return Optional.of(new ShardId(folder.substring(0, folder.length() - 1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The file of one generation, below the log. */
  public static String file(ShardId shard, long generation) {
    return folder(shard) + fileName(generation);
  }

  /** The folder of a shard, below the log. */
  public static String folder(ShardId shard) {
    return shard.value() + "/";
  }
}
