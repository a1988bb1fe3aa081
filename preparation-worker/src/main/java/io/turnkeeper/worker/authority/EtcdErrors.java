package io.turnkeeper.worker.authority;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What a failed call to etcd says about the request it carried. */
final class EtcdErrors {
  private static final Set<Status.Code> REFUSALS =
      EnumSet.of(
          Status.Code.INVALID_ARGUMENT,
          Status.Code.NOT_FOUND,
          Status.Code.PERMISSION_DENIED,
          Status.Code.UNAUTHENTICATED,
          Status.Code.FAILED_PRECONDITION,
          Status.Code.OUT_OF_RANGE,
          Status.Code.RESOURCE_EXHAUSTED);

  /** Also said of the very request that crosses the limit, which is applied all the same. */
  private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";

  /** A token lives for minutes; the client fetches another one once it was told. */
  private static final String OLD_TOKEN = "etcdserver: invalid auth token";

  private EtcdErrors() {}

  /** Whether the server itself refused the request; it was not applied, unless space ran out. */
  static boolean isRefusal(Throwable failure) {
    // The same codes come from proxies and from the client, which cannot know; the server's own
    // messages begin with its name.
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StatusRuntimeException e
          && REFUSALS.contains(e.getStatus().getCode())
          && String.valueOf(e.getStatus().getDescription()).startsWith("etcdserver:")) {
        return !OLD_TOKEN.equals(e.getStatus().getDescription());
      }
    }
    return false;
  }

  /** Whether etcd answered that it has no space; the request may have been applied. */
  static boolean isOutOfSpace(Throwable failure) {
    Status status = status(failure);
    return status != null && NO_SPACE.equals(status.getDescription());
  }

  /** Whether there was no connection to send the request on. */
  static boolean wasNeverSent(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof ConnectException) {
        return true;
      }
    }
    return false;
  }

  /** Whether etcd says that what was asked for, a lease, is not there. */
  static boolean isNotFound(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof io.etcd.jetcd.common.exception.EtcdException e
          && e.getErrorCode() == io.etcd.jetcd.common.exception.ErrorCode.NOT_FOUND) {
        return true;
      }
    }
    Status status = status(failure);
    return status != null && status.getCode() == Status.Code.NOT_FOUND;
  }

  /** The innermost message, which is the one that says something. */
  static String text(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    if (innermost instanceof TimeoutException) {
      return "the call timed out";
    }
    String message = innermost.getMessage();
    return message == null ? innermost.getClass().getSimpleName() : message;
  }

  private static @Nullable Status status(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StatusRuntimeException e) {
        return e.getStatus();
      }
    }
    return null;
  }
}
