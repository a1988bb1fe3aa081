package io.turnkeeper.worker.fence;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.AnswerCodes;
import io.turnkeeper.events.storage.StorageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;

/** What exceptions about files say: Java's only by their types, since their messages are paths. */
public final class FileErrors {
  /** How the system, and Lance after it, says that nothing may be written. */
  private static final List<String> ACCESS_REFUSED =
      List.of(
          "Permission denied",
          "Read-only file system",
          "Operation not permitted",
          AnswerCodes.LACKS_PRIVILEGES);

  private FileErrors() {}

  /** What went wrong and with which file. */
  public static String said(IOException e) {
    if (e instanceof FileSystemException) {
      return kind(e) + ": " + e.getMessage();
    }
    return e instanceof StorageException ? String.valueOf(e.getMessage()) : e.toString();
  }

  private static String kind(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "the file exists already";
    }
    if (e instanceof AccessDeniedException) {
      return "access denied";
    }
    if (e instanceof DirectoryNotEmptyException) {
      return "the directory is not empty";
    }
    return e.getClass().getSimpleName();
  }

  /** The code for what Java threw; what a store answered knows its own. */
  public static FailureCode codeOf(IOException e) {
    if (e instanceof StorageException answered) {
      return answered.code();
    }
    return e instanceof AccessDeniedException || refusesAccess(String.valueOf(e.getMessage()))
        ? FailureCode.PERMISSION_DENIED
        : FailureCode.IO;
  }

  /** Whether {@code text} says that a place may not be read or written, which no retry mends. */
  public static boolean refusesAccess(String text) {
    return ACCESS_REFUSED.stream().anyMatch(text::contains);
  }
}
