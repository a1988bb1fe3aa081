package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds out from the files alone how far a log is sealed. */
public final class WalScan {
  private WalScan() {}

  /**
   * The marks of all shards, each of what lies without a gap behind what is merged; shards without
   * files are left out, and so are folders that are no shard's.
   *
   * @param merged what of each shard is in the table; its files may be gone
   */
  public static SortedMap<ShardId, WalMark> shards(Storage log, Map<ShardId, Long> merged)
      throws IOException {
    SortedMap<ShardId, WalMark> marks = new TreeMap<>();
    for (String name : log.list("").folders()) {
      Optional<ShardId> shard = WalLayout.shardOf(name);
      if (shard.isPresent()) {
        WalMark mark =
            gapFree(new WalFolder(log, shard.get()), merged.getOrDefault(shard.get(), 0L));
        if (!mark.isEmpty()) {
          marks.put(shard.get(), mark);
        }
      }
    }
    return marks;
  }

  /**
   * The files of generations that are in the table and that no writer needs: the newest of each
   * shard stays, since it names its writer.
   */
  public static List<StoredFile> merged(Storage log, Map<ShardId, Long> merged) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    for (Map.Entry<ShardId, Long> shard : merged.entrySet()) {
      NavigableMap<Long, StoredFile> generations = new WalFolder(log, shard.getKey()).files();
      if (!generations.isEmpty()) {
        long end = Math.min(shard.getValue(), generations.lastKey() - 1);
        files.addAll(generations.headMap(end, true).values());
      }
    }
    return files;
  }

  /** The mark of the generations before the first hole behind {@code merged}. */
  private static WalMark gapFree(WalFolder folder, long merged) throws IOException {
    NavigableMap<Long, StoredFile> generations = folder.files();
    long through = merged;
    for (long generation : generations.tailMap(merged, false).keySet()) {
      if (generation != through + 1) {
        break;
      }
      through = generation;
    }
    return mark(folder, generations.headMap(through, true));
  }

  /** The mark of the newest generation, whatever precedes it. */
  static WalMark newest(WalFolder folder) throws IOException {
    return mark(folder, folder.files());
  }

  /**
   * Reads backwards until a generation says how much lies before it; what writers of other
   * languages leave out is counted.
   */
  private static WalMark mark(WalFolder folder, NavigableMap<Long, StoredFile> generations)
      throws IOException {
    if (generations.isEmpty()) {
      return WalMark.NONE;
    }
    WalGeneration newest = folder.read(generations.lastEntry().getValue());
    long rows = 0;
    long bytes = 0;
    long epoch = 0;
    for (StoredFile file : generations.descendingMap().values()) {
      WalGeneration generation = folder.read(file);
      epoch = Math.max(epoch, generation.number(WalMetadata.WRITER_EPOCH).orElse(0));
      long rowsThrough = generation.number(WalMetadata.ROWS_THROUGH).orElse(-1);
      long bytesThrough = generation.number(WalMetadata.BYTES_THROUGH).orElse(-1);
      if (rowsThrough >= 0 && bytesThrough >= 0) {
        rows += rowsThrough;
        bytes += bytesThrough;
        break;
      }
      rows += generation.countRows();
      bytes += file.bytes();
    }
    return new WalMark(
        epoch,
        generations.lastKey(),
        bytes,
        rows,
        newest.number(WalMetadata.SEALED_AT_MILLIS).orElse(newest.file().modifiedMillis()),
        newest.text(WalMetadata.WRITER_ID));
  }
}
