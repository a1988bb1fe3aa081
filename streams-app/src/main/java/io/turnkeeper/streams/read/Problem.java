package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Why a read has no answer, told as RFC 9457 wants it. */
final class Problem extends Exception {
  static final String CONTENT_TYPE = "application/problem+json";

  private static final String TYPE = "urn:turnkeeper:problem:";

  private final Code code;

  Problem(Code code, String detail) {
    super(detail);
    this.code = code;
  }

  Problem(Code code, String detail, Throwable cause) {
    super(detail, cause);
    this.code = code;
  }

  /** The sorts of problems; their names are part of the contract. */
  enum Code {
    NO_SUCH_PATH(404, "There is nothing under this path"),
    METHOD_NOT_ALLOWED(405, "Only GET is allowed here"),
    BAD_REQUEST(400, "The request cannot be understood"),
    NO_SUCH_TABLE(404, "Nothing is known of this table"),
    NO_SUCH_POOL(404, "Nothing is known of this pool"),
    /** It starts, rebuilds its stores or stops. */
    NOT_SERVING(503, "The scheduler does not answer reads now"),
    /** Between two owners, or known to nobody yet. */
    MOVING(503, "The partition is changing hands"),
    OWNER_UNREACHABLE(503, "The instance that knows does not answer"),
    /** The rules have yet to look at what changed. */
    NOT_AT_REST(503, "The scheduler is about to decide"),
    TOO_SLOW(503, "The answer took too long"),
    TOO_MANY_READS(503, "Too many reads are under way"),
    INTERNAL(500, "A fault of the scheduler, see its log");

    private final int status;
    private final String title;

    Code(int status, String title) {
      this.status = status;
      this.title = title;
    }

    boolean retryable() {
      return status == 503;
    }
  }

  Code code() {
    return code;
  }

  Answer answer() {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("type", TYPE + code.name());
    body.put("title", code.title);
    body.put("status", code.status);
    body.put("detail", getMessage());
    body.put("code", code.name());
    body.put("retryable", code.retryable());
    return Answer.of(code.status, CONTENT_TYPE, body);
  }
}
