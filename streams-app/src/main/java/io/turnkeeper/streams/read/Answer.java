package io.turnkeeper.streams.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * What is sent back for one request.
 *
 * @param instance who answered; null if it is this one
 */
@SuppressWarnings("ArrayRecordComponent") // Sent as it is; never compared.
record Answer(int status, String contentType, byte[] body, @Nullable String instance) {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;
  private static final String JSON = "application/json";

  static Answer of(JsonNode body) {
    return of(OK, JSON, body);
  }

  static Answer of(int status, String contentType, JsonNode body) {
    return new Answer(status, contentType, body.toString().getBytes(UTF_8), null);
  }

  boolean isGood() {
    return status == OK;
  }

  /** Whether the same question may soon have another answer. */
  boolean isRetryable() {
    return status == UNAVAILABLE;
  }
}
