package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds out from the files alone how far a log is sealed. */
public final class WalScan {
  private WalScan() {}

  /**
   * The marks of all shards, each of what lies without a gap behind what is merged; shards without
   * files are left out, and so are folders that are no shard's.
   *
   * @param merged what of each shard is in the table; its files may be gone
   */
  public static SortedMap<ShardId, WalMark> shards(String walUri, Map<ShardId, Long> merged)
      throws IOException {
    SortedMap<ShardId, WalMark> marks = new TreeMap<>();
    Path root = WalLayout.root(walUri);
    if (!Files.isDirectory(root)) {
      return marks;
    }
    try (Stream<Path> folders = Files.list(root)) {
      for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
        Optional<ShardId> shard = WalLayout.shardOf(folder);
        if (shard.isPresent()) {
          WalMark mark = gapFree(new WalFolder(folder), merged.getOrDefault(shard.get(), 0L));
          if (!mark.isEmpty()) {
            marks.put(shard.get(), mark);
          }
        }
      }
    }
    return marks;
  }

  /**
   * The files of generations that are in the table and that no writer needs: the newest of each
   * shard stays, since it names its writer.
   */
  public static List<Path> merged(String walUri, Map<ShardId, Long> merged) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<ShardId, Long> shard : merged.entrySet()) {
      WalFolder folder = new WalFolder(WalLayout.folder(walUri, shard.getKey()));
      NavigableSet<Long> generations = folder.generations();
      if (!generations.isEmpty()) {
        long end = Math.min(shard.getValue(), generations.last() - 1);
        generations.headSet(end, true).forEach(number -> files.add(folder.file(number)));
      }
    }
    return files;
  }

  /** The mark of the generations before the first hole behind {@code merged}. */
  private static WalMark gapFree(WalFolder folder, long merged) throws IOException {
    NavigableSet<Long> generations = folder.generations();
    long through = merged;
    for (long generation : generations.tailSet(merged, false)) {
      if (generation != through + 1) {
        break;
      }
      through = generation;
    }
    return mark(folder, generations.headSet(through, true));
  }

  /** The mark of the newest generation, whatever precedes it. */
  static WalMark newest(WalFolder folder) throws IOException {
    return mark(folder, folder.generations());
  }

  /**
   * Reads backwards until a generation says how much lies before it; what writers of other
   * languages leave out is counted.
   */
  private static WalMark mark(WalFolder folder, NavigableSet<Long> generations) throws IOException {
    if (generations.isEmpty()) {
      return WalMark.NONE;
    }
    WalGeneration newest = WalGeneration.read(folder.file(generations.last()));
    long rows = 0;
    long bytes = 0;
    long epoch = 0;
    for (long number : generations.descendingSet()) {
      WalGeneration generation = WalGeneration.read(folder.file(number));
      epoch = Math.max(epoch, generation.number(WalMetadata.WRITER_EPOCH).orElse(0));
      long rowsThrough = generation.number(WalMetadata.ROWS_THROUGH).orElse(-1);
      long bytesThrough = generation.number(WalMetadata.BYTES_THROUGH).orElse(-1);
      if (rowsThrough >= 0 && bytesThrough >= 0) {
        rows += rowsThrough;
        bytes += bytesThrough;
        break;
      }
      rows += generation.countRows();
      bytes += generation.bytes();
    }
    return new WalMark(
        epoch,
        generations.last(),
        bytes,
        rows,
        newest.number(WalMetadata.SEALED_AT_MILLIS).orElse(newest.modifiedMillis()),
        newest.text(WalMetadata.WRITER_ID));
  }
}
