package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.AnswerCodes;
import io.turnkeeper.events.storage.StorageException;
import io.turnkeeper.worker.fence.FileErrors;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * A call into Lance, with its exceptions sorted. Lance has no exception type for each kind and its
 * native methods throw undeclared checked exceptions, so the text decides.
 */
@FunctionalInterface
interface LanceCall<T> {
  T run() throws Exception;

  Pattern MISSING_FILE = Pattern.compile("[Nn]ot found: .*\\.(lance|arrow|idx|bin)");

  /** Runs {@code call} and gives what it throws a code. */
  static <T> T of(LanceCall<T> call) throws WorkFailedException, WorkCancelledException {
    try {
      return call.run();
    } catch (WorkFailedException | WorkCancelledException e) {
      throw e;
    } catch (FileSystemException | StorageException e) {
      // They know what is wrong by themselves, where Lance only quotes it.
      throw new WorkFailedException(FileErrors.codeOf(e), FileErrors.said(e), e);
    } catch (Exception e) {
      throw new WorkFailedException(codeOf(e), String.valueOf(e.getMessage()), e);
    }
  }

  /** The code for an exception that Lance threw. */
  static FailureCode codeOf(Exception e) {
    String text = String.valueOf(e.getMessage());
    String lower = text.toLowerCase(Locale.ROOT);
    if (e instanceof OutOfMemoryException) {
      return FailureCode.NEEDS_MORE_MEMORY;
    }
    Optional<FailureCode> ofStore = AnswerCodes.quoted(text);
    if (ofStore.isPresent()) {
      return ofStore.get();
    }
    if (text.contains("commit conflict") || text.contains("Incompatible transaction")) {
      return FailureCode.CONFLICT;
    }
    if (text.contains("Append with different schema")) {
      return FailureCode.SCHEMA_CHANGED;
    }
    if (text.contains("Dataset at path") && lower.contains("not found")) {
      return FailureCode.NO_SUCH_TABLE;
    }
    if (MISSING_FILE.matcher(text).find()) {
      return FailureCode.MISSING_FILE;
    }
    if (FileErrors.refusesAccess(text)) {
      return FailureCode.PERMISSION_DENIED;
    }
    // What Lance wraps more than once is no IOException any more.
    return e instanceof IOException || text.contains("LanceError(IO)")
        ? FailureCode.IO
        : FailureCode.UNKNOWN;
  }
}
