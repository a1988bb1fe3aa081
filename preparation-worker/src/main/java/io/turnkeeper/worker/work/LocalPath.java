package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import java.net.URI;
import java.nio.file.Path;

/** A place on a file system, given as a path or a {@code file:} URI. */
public final class LocalPath {
  private LocalPath() {}

  /**
   * The path that {@code uri} is.
   *
   * @param what what lies there, for the message
   * @throws WorkFailedException for any other scheme
   */
  public static Path of(String what, String uri) throws WorkFailedException {
    if (uri.startsWith("file:")) {
      return Path.of(URI.create(uri).getPath());
    }
    if (uri.contains("://")) {
      throw new WorkFailedException(
          FailureCode.NO_SUCH_TABLE,
          "expected the "
              + what
              + " as a path or a file: URI, but it is '"
              + uri
              + "'; object stores are not supported");
    }
    return Path.of(uri);
  }
}
