package io.turnkeeper.events.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether a path that somebody gave to a program can serve, said in one wording everywhere. */
public final class GivenPath {
  private GivenPath() {}

  /**
   * A file to read, which may be a pipe.
   *
   * @throws IllegalArgumentException if it is none, saying why
   */
  public static Path toRead(String text) {
    Path file = path("a file to read", text);
    String wrong =
        !Files.exists(file)
            ? "does not exist"
            : Files.isDirectory(file)
                ? "is a directory"
                : Files.isReadable(file) ? null : "may not be read";
    return checked("a file to read", file, wrong);
  }

  /**
   * A file to write, which may exist.
   *
   * @throws IllegalArgumentException if it cannot be written, saying why
   */
  public static Path toWrite(String text) {
    Path file = path("a file to write", text);
    return checked(
        "a file to write", file, Files.exists(file) ? unwritable(file) : unmakeable(file));
  }

  /**
   * A directory, which may be missing.
   *
   * @throws IllegalArgumentException if something else has that name
   */
  public static Path directory(String text) {
    Path directory = path("a directory", text);
    boolean isOther = Files.exists(directory) && !Files.isDirectory(directory);
    return checked("a directory", directory, isOther ? "is a file" : null);
  }

  /** Why reading or writing failed, without the names of classes. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException missing) {
      return "'" + missing.getFile() + "' does not exist";
    }
    if (e instanceof AccessDeniedException denied) {
      return "'" + denied.getFile() + "' may not be used: permission denied";
    }
    if (e instanceof FileAlreadyExistsException there) {
      return "'" + there.getFile() + "' exists";
    }
    if (e instanceof NotDirectoryException file) {
      return "'" + file.getFile() + "' is not a directory";
    }
    if (e instanceof FileSystemException other && other.getReason() != null) {
      return "'" + other.getFile() + "': " + other.getReason();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static @Nullable String unwritable(Path file) {
    if (Files.isDirectory(file)) {
      return "is a directory";
    }
    return Files.isWritable(file) ? null : "may not be written";
  }

  private static @Nullable String unmakeable(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      return "lies in no directory that exists";
    }
    return Files.isWritable(folder) ? null : "lies in a directory that may not be written";
  }

  private static Path path(String expected, String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected " + expected + ", but the path is empty");
    }
    return Path.of(text);
  }

  private static Path checked(String expected, Path path, @Nullable String wrong) {
    if (wrong != null) {
      throw new IllegalArgumentException("expected " + expected + ", but '" + path + "' " + wrong);
    }
    return path;
  }
}
