package io.turnkeeper.storage.s3;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.AnswerCodes;
import io.turnkeeper.events.storage.StorageException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Tells failures apart by status and error code. Texts hold keys and ids, whose digits mean
 * nothing.
 */
final class S3Errors {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final String NO_SUCH_BUCKET = "NoSuchBucket";

  private S3Errors() {}

  /** Whether the object was not there; a bucket that is not there is another matter. */
  static boolean isMissing(SdkException e) {
    return status(e) == NOT_FOUND && !code(e).equals(NO_SUCH_BUCKET);
  }

  /** Whether there was something of that name. */
  static boolean isTaken(SdkException e) {
    return status(e) == PRECONDITION_FAILED;
  }

  /**
   * Whether somebody was writing the same name at the same time, so that it must be tried again.
   */
  static boolean isContended(SdkException e) {
    return status(e) == CONFLICT;
  }

  /** Whether a part was asked for that begins behind the end. */
  static boolean isBehindEnd(SdkException e) {
    return status(e) == RANGE_NOT_SATISFIABLE;
  }

  /** The exception to throw for a request about {@code what}. */
  static IOException translated(String what, SdkException e) {
    if (isMissing(e)) {
      NoSuchFileException missing = new NoSuchFileException(what);
      missing.initCause(e);
      return missing;
    }
    if (e instanceof AbortedException) {
      // The flag of this thread is still set.
      InterruptedIOException interrupted = new InterruptedIOException("interrupted at " + what);
      interrupted.initCause(e);
      return interrupted;
    }
    return new StorageException(failure(e), what + ": " + e.getMessage(), e);
  }

  /** The same for a put, which finds nothing missing but its bucket. */
  static IOException translatedPut(String what, SdkException e) {
    return isMissing(e)
        ? new StorageException(FailureCode.NO_SUCH_TABLE, what + ": " + e.getMessage(), e)
        : translated(what, e);
  }

  /** The exception for a part of a request that was refused with {@code code}. */
  static IOException refused(String what, String code) {
    return new StorageException(
        AnswerCodes.meaning(code).orElse(FailureCode.IO), what + ": " + code, null);
  }

  private static FailureCode failure(SdkException e) {
    Optional<FailureCode> meaning = AnswerCodes.meaning(code(e));
    if (meaning.isPresent()) {
      return meaning.get();
    }
    if (status(e) == FORBIDDEN) {
      return FailureCode.PERMISSION_DENIED;
    }
    return e instanceof ApiCallTimeoutException || e instanceof ApiCallAttemptTimeoutException
        ? FailureCode.TIMEOUT
        : FailureCode.IO;
  }

  /** The status of the store's answer, 0 if there was none. */
  private static int status(SdkException e) {
    return e instanceof AwsServiceException answer ? answer.statusCode() : 0;
  }

  private static String code(SdkException e) {
    AwsErrorDetails details =
        e instanceof AwsServiceException answer ? answer.awsErrorDetails() : null;
    return details == null || details.errorCode() == null ? "" : details.errorCode();
  }
}
