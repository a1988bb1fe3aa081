package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.StorageException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LanceCallTest {
  @Test
  void aFilesExceptionSaysWhatWentWrongAndWithWhichFile(@TempDir Path dir) {
    assertFails(new FileAlreadyExistsException("/t/a"), "the file exists already: /t/a");
    assertFails(new NoSuchFileException("/t/a"), "no such file: /t/a");
    assertFails(
        new FileSystemException("/t/a", null, "No space left on device"),
        "FileSystemException: /t/a: No space left on device");
    assertThatThrownBy(() -> LanceCall.of(() -> Files.size(dir.resolve("gone"))))
        .hasMessage("no such file: " + dir.resolve("gone"));
  }

  @Test
  void whatMayNotBeWrittenIsNoPassingTrouble() {
    assertFails(
        new AccessDeniedException("/t/a"), FailureCode.PERMISSION_DENIED, "access denied: /t/a");
    assertFails(
        new FileSystemException("/t/a", null, "Read-only file system"),
        FailureCode.PERMISSION_DENIED,
        "FileSystemException: /t/a: Read-only file system");
  }

  @Test
  void aStorageSaysItsCodeItselfWhateverTheText() {
    assertFails(
        new StorageException(FailureCode.PERMISSION_DENIED, "s3://b/t: Status Code: 403", null),
        FailureCode.PERMISSION_DENIED,
        "s3://b/t: Status Code: 403");
    assertFails(
        new StorageException(FailureCode.NO_SUCH_TABLE, "permission denied", null),
        FailureCode.NO_SUCH_TABLE,
        "permission denied");
  }

  private static void assertFails(FileSystemException thrown, String message) {
    assertFails(thrown, FailureCode.IO, message);
  }

  private static void assertFails(IOException thrown, FailureCode code, String message) {
    assertThatThrownBy(
            () ->
                LanceCall.of(
                    () -> {
                      throw thrown;
                    }))
        .asInstanceOf(type(WorkFailedException.class))
        .returns(code, WorkFailedException::code)
        .returns(message, WorkFailedException::reason);
  }
}
