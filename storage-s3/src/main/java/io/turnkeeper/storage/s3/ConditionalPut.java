package io.turnkeeper.storage.s3;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * Takes a name by putting an object there, unless there is one. When the answer is lost the same
 * put is tried again, and is then refused for the sake of its own first try. So every put carries a
 * token of its own in the object's metadata: whoever is refused looks whose token is there. That
 * costs one request and no bytes, where comparing contents costs the object; and two writers of the
 * same content are told apart. A store that keeps no metadata answers "not mine", which is safe.
 */
final class ConditionalPut {
  private static final String TOKEN = "turnkeeper-put";
  private static final String ANYTHING = "*";

  /** A store may answer so while another put of the same name is under way. */
  private static final int MAX_CONTENDED = 20;

  private static final long PAUSE_MILLIS = 50;

  private final S3Access access;
  private final S3Place place;

  ConditionalPut(S3Access access, S3Place place) {
    this.access = access;
    this.place = place;
  }

  static String newToken() {
    return UUID.randomUUID().toString();
  }

  boolean put(String name, byte[] content, String token) throws IOException {
    return put(name, RequestBody.fromBytes(content), content.length, token);
  }

  /** Streams the file, from its beginning with each try. */
  boolean put(String name, Path content, long bytes, String token) throws IOException {
    return put(name, RequestBody.fromFile(content), bytes, token);
  }

  /**
   * Puts one object.
   *
   * @return whether the object of that name is the one with this token
   * @throws IOException if it is unknown; the same put can then be repeated
   */
  private boolean put(String name, RequestBody body, long bytes, String token) throws IOException {
    for (int contended = 0; ; contended++) {
      try {
        access
            .s3()
            .putObject(
                request ->
                    request
                        .bucket(place.bucket())
                        .key(place.keyOf(name))
                        .ifNoneMatch(ANYTHING)
                        .metadata(Map.of(TOKEN, token))
                        .overrideConfiguration(config -> access.bound(config, bytes)),
                body);
        return true;
      } catch (SdkException e) {
        if (S3Errors.isTaken(e)) {
          return isMine(name, token);
        }
        if (!S3Errors.isContended(e) || contended == MAX_CONTENDED) {
          throw S3Errors.translatedPut(place.uri() + "/" + name, e);
        }
        pause();
      }
    }
  }

  private boolean isMine(String name, String token) throws IOException {
    try {
      HeadObjectResponse found =
          access
              .s3()
              .headObject(
                  request ->
                      request
                          .bucket(place.bucket())
                          .key(place.keyOf(name))
                          .overrideConfiguration(config -> access.bound(config, 0)));
      return token.equals(found.metadata().get(TOKEN));
    } catch (SdkException e) {
      if (S3Errors.isMissing(e)) {
        // It was there a moment ago, whoever made it, and was deleted.
        return false;
      }
      throw S3Errors.translated(place.uri() + "/" + name, e);
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException(FailureCode.IO, "interrupted before a put was repeated", e);
    }
  }
}
