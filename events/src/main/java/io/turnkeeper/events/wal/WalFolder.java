package io.turnkeeper.events.wal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One shard's folder on a local disk: the only place that knows how a file becomes durable. */
class WalFolder {
  private static final String TEMPORARY = ".tmp";

  private final Path folder;

  WalFolder(Path folder) {
    this.folder = folder;
  }

  /** Makes the folder, durably, and removes what crashed writers left half done. */
  void prepare() throws IOException {
    makeDurably(folder.toAbsolutePath());
    for (Path leftover : temporaryFiles()) {
      Files.deleteIfExists(leftover);
    }
  }

  private static void makeDurably(Path directory) throws IOException {
    Path parent = directory.getParent();
    if (parent == null || Files.isDirectory(directory)) {
      return;
    }
    makeDurably(parent);
    Files.createDirectories(directory);
    sync(parent);
  }

  private List<Path> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(TEMPORARY)).toList();
    }
  }

  /** The sealed generations, ascending; empty if the folder does not exist. */
  NavigableSet<Long> generations() throws IOException {
    NavigableSet<Long> generations = new TreeSet<>();
    if (!Files.isDirectory(folder)) {
      return generations;
    }
    try (Stream<Path> files = Files.list(folder)) {
      files
          .map(file -> WalLayout.generationOf(file.getFileName().toString()))
          .filter(OptionalLong::isPresent)
          .forEach(generation -> generations.add(generation.getAsLong()));
    }
    return generations;
  }

  Path file(long generation) {
    return folder.resolve(WalLayout.fileName(generation));
  }

  Path temporary(long generation, String writerId) {
    return folder.resolve(WalLayout.fileName(generation) + "." + writerId + TEMPORARY);
  }

  boolean has(long generation) {
    return Files.exists(file(generation));
  }

  /**
   * Gives a synced file its name, unless the name is taken.
   *
   * @return false if the file is gone
   */
  boolean link(Path temporary, long generation) throws IOException {
    try {
      Files.createLink(file(generation), temporary);
    } catch (FileAlreadyExistsException e) {
      return true; // By whom is for the caller to find out.
    } catch (NoSuchFileException e) {
      return false;
    }
    return true;
  }

  /** Makes names durable. */
  void sync() throws IOException {
    sync(folder);
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
