package io.turnkeeper.events.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Draft;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;

/** One shard's folder of a log. */
record WalFolder(Storage log, ShardId shard) {

  /** Removes what crashed writers left half done. */
  void clear() throws IOException {
    List<String> leftovers =
        log.list(WalLayout.folder(shard)).files().stream()
            .map(StoredFile::name)
            .filter(name -> name.endsWith(Storage.DRAFT_SUFFIX))
            .toList();
    log.delete(leftovers);
  }

  /** The files of the sealed generations, ascending. */
  NavigableMap<Long, StoredFile> files() throws IOException {
    NavigableMap<Long, StoredFile> files = new TreeMap<>();
    for (StoredFile file : log.list(WalLayout.folder(shard)).files()) {
      WalLayout.generationOf(file.baseName()).ifPresent(generation -> files.put(generation, file));
    }
    return files;
  }

  NavigableSet<Long> generations() throws IOException {
    return files().navigableKeySet();
  }

  Draft draft(long generation) throws IOException {
    return log.draft(WalLayout.file(shard, generation));
  }

  boolean has(long generation) throws IOException {
    return log.stat(WalLayout.file(shard, generation)).isPresent();
  }

  WalGeneration read(StoredFile file) throws IOException {
    return WalGeneration.read(log, file);
  }

  /** What a generation that is there says of itself. */
  WalGeneration read(long generation) throws IOException {
    String name = WalLayout.file(shard, generation);
    return read(log.stat(name).orElseThrow(() -> new IOException("there is no more " + name)));
  }
}
