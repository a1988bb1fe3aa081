package io.turnkeeper.events.storage;

import io.turnkeeper.core.FailureCode;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The error codes of stores that speak the language of S3. A code is a word of the answer; digits
 * elsewhere in a text belong to keys and request ids and mean nothing.
 */
public final class AnswerCodes {
  /** How Lance says that an answer was 401 or 403, whatever its code. */
  public static final String LACKS_PRIVILEGES = "lacked the necessary privileges";

  private static final Pattern IN_TEXT = Pattern.compile("<Code>([A-Za-z]+)</Code>");

  private static final Map<String, FailureCode> MEANINGS =
      Map.of(
          "NoSuchBucket", FailureCode.NO_SUCH_TABLE,
          "AccessDenied", FailureCode.PERMISSION_DENIED,
          "InvalidAccessKeyId", FailureCode.PERMISSION_DENIED,
          "SignatureDoesNotMatch", FailureCode.PERMISSION_DENIED,
          "AllAccessDisabled", FailureCode.PERMISSION_DENIED,
          // Refused now, and well again with other credentials or another clock, without help.
          "ExpiredToken", FailureCode.IO,
          "TokenRefreshRequired", FailureCode.IO,
          "RequestTimeTooSkewed", FailureCode.IO,
          "RequestExpired", FailureCode.IO);

  private AnswerCodes() {}

  /** What {@code code} means, if that does not depend on the request. */
  public static Optional<FailureCode> meaning(String code) {
    return Optional.ofNullable(MEANINGS.get(code));
  }

  /** The same for the answer that {@code text} quotes, if it quotes one. */
  public static Optional<FailureCode> quoted(String text) {
    Matcher matcher = IN_TEXT.matcher(text);
    return matcher.find() ? meaning(matcher.group(1)) : Optional.empty();
  }
}
