package io.turnkeeper.worker.fence;

import static java.util.regex.Pattern.DOTALL;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Require;
import io.turnkeeper.events.storage.AnswerCodes;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tells Lance's failures apart by their texts, since they have no types of their own. */
final class LanceErrors {
  /** Where in its own sources Lance found the fault; what follows repeats the message. */
  private static final Pattern SOURCE =
      Pattern.compile(",? /?[\\w/.-]+\\.rs:\\d+(:\\d+)?.*", DOTALL);

  private LanceErrors() {}

  static Refusal refusal(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    String said = SOURCE.matcher(message).replaceFirst("");
    return new Refusal(code(failure, message), Require.shortened(said.isBlank() ? message : said));
  }

  private static FailureCode code(Throwable failure, String message) {
    Optional<FailureCode> ofStore = AnswerCodes.quoted(message);
    if (ofStore.isPresent()) {
      return ofStore.get();
    }
    if (message.startsWith("Retryable commit conflict")
        || message.startsWith("Incompatible transaction")
        || message.startsWith("Commit conflict")) {
      return FailureCode.CONFLICT;
    }
    if (message.contains("different schema")) {
      return FailureCode.SCHEMA_CHANGED;
    }
    if (message.contains("not found")) {
      return FailureCode.MISSING_FILE;
    }
    if (FileErrors.refusesAccess(message)) {
      return FailureCode.PERMISSION_DENIED;
    }
    return failure instanceof IOException || message.contains("LanceError(IO)")
        ? FailureCode.IO
        : FailureCode.UNKNOWN;
  }
}
