package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What Java's exceptions about files say only by their types: their messages are mere paths. */
final class FileErrors {
  private FileErrors() {}

  /** What went wrong and with which file. */
  static String said(FileSystemException e) {
    return kind(e) + ": " + e.getMessage();
  }

  private static String kind(FileSystemException e) {
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

  static FailureCode codeOf(FileSystemException e) {
    String reason = String.valueOf(e.getReason());
    return e instanceof AccessDeniedException
            || reason.contains("Read-only file system")
            || reason.contains("Operation not permitted")
        ? FailureCode.PERMISSION_DENIED
        : FailureCode.IO;
  }
}
