package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds out from the files alone how far a log is sealed. */
public final class WalScan {
  private WalScan() {}

  /** The marks of all shards, each of its gap-free beginning; shards without files are left out. */
  public static SortedMap<ShardId, WalMark> shards(String walUri) throws IOException {
    SortedMap<ShardId, WalMark> marks = new TreeMap<>();
    Path root = WalLayout.root(walUri);
    if (!Files.isDirectory(root)) {
      return marks;
    }
    try (Stream<Path> folders = Files.list(root)) {
      for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
        WalMark mark = gapFree(new WalFolder(folder));
        if (!mark.isEmpty()) {
          marks.put(new ShardId(folder.getFileName().toString()), mark);
        }
      }
    }
    return marks;
  }

  /** The mark of the generations before the first hole. Merged ones may be gone from the front. */
  private static WalMark gapFree(WalFolder folder) throws IOException {
    NavigableSet<Long> generations = folder.generations();
    long through = 0;
    for (long generation : generations) {
      if (through != 0 && generation != through + 1) {
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
