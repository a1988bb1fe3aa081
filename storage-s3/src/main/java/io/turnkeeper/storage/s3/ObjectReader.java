package io.turnkeeper.storage.s3;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.StorageException;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads parts of one object. Each is read to its end before anybody works with it, so that a slow
 * reader holds no connection, and what comes short is asked for again.
 */
record ObjectReader(S3Access access, S3Place place, String name) {
  private static final Pattern CONTENT_RANGE = Pattern.compile("bytes \\d+-\\d+/(\\d+)");

  /**
   * A part of an object.
   *
   * @param objectBytes the size of the whole
   */
  record Part(ByteBuffer content, long objectBytes, long modifiedMillis) {}

  static ObjectReader of(S3Access access, S3Place place, String name) {
    return new ObjectReader(access, place, name);
  }

  /**
   * Looks at the object by asking for its first byte. The answer to a {@code HEAD} has no body to
   * say whether the object or the whole bucket is missing.
   */
  Optional<StoredFile> stat() throws IOException {
    try {
      Part first = part(0, 1);
      return Optional.of(new StoredFile(name, first.objectBytes(), first.modifiedMillis()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads at most {@code bytes} from {@code position} on; nothing behind the end.
   *
   * @throws NoSuchFileException if there is no such object
   */
  Part part(long position, int bytes) throws IOException {
    try {
      return access
          .s3()
          .getObject(
              request ->
                  request
                      .bucket(place.bucket())
                      .key(place.keyOf(name))
                      .range("bytes=" + position + "-" + (position + bytes - 1))
                      .overrideConfiguration(config -> access.bound(config, bytes)),
              (response, body) -> whole(response, body, bytes));
    } catch (SdkException e) {
      if (S3Errors.isBehindEnd(e)) {
        return nothing();
      }
      throw S3Errors.translated(uri(), e);
    }
  }

  static Part whole(GetObjectResponse response, AbortableInputStream body, int bytes) {
    long expected = response.contentLength() == null ? 0 : response.contentLength();
    byte[] content;
    try {
      content = body.readNBytes((int) Math.min(bytes, expected));
    } catch (IOException e) {
      throw RetryableException.create("the body ended early", e);
    }
    if (content.length < Math.min(bytes, expected)) {
      throw RetryableException.create(
          "expected " + expected + " bytes, but there came " + content.length);
    }
    if (expected > bytes) {
      // The store does not know of parts and sends all of it.
      body.abort();
    }
    return new Part(
        ByteBuffer.wrap(content).asReadOnlyBuffer(),
        size(response, expected),
        response.lastModified().toEpochMilli());
  }

  private static long size(GetObjectResponse response, long contentLength) {
    if (response.contentRange() == null) {
      return contentLength;
    }
    Matcher matcher = CONTENT_RANGE.matcher(response.contentRange());
    if (!matcher.matches()) {
      throw new IllegalStateException(
          "expected a range with a size, but it is " + response.contentRange());
    }
    return Long.parseLong(matcher.group(1));
  }

  /** What is told of an object that has nothing at that position. */
  private Part nothing() throws IOException {
    try {
      var head =
          access
              .s3()
              .headObject(
                  request ->
                      request
                          .bucket(place.bucket())
                          .key(place.keyOf(name))
                          .overrideConfiguration(config -> access.bound(config, 0)));
      return new Part(
          ByteBuffer.allocate(0), head.contentLength(), head.lastModified().toEpochMilli());
    } catch (SdkException e) {
      throw S3Errors.translated(uri(), e);
    }
  }

  StorageException unexpected(String message) {
    return new StorageException(FailureCode.CORRUPT_FILE, uri() + ": " + message, null);
  }

  private String uri() {
    return place.uri() + "/" + name;
  }
}
