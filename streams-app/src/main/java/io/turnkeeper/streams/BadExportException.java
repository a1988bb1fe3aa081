package io.turnkeeper.streams;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file that is no whole export of a journal; the message names it. */
public final class BadExportException extends IOException {
  private static final long serialVersionUID = 1L;

  BadExportException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
