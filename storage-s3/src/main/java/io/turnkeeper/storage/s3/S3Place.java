package io.turnkeeper.storage.s3;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The root of a storage in a bucket. Its key is spelled in one way only, and with characters that
 * nobody escapes: whether a percent in a URI begins an escape, layers disagree about.
 *
 * @param key without a slash at either end, never empty
 */
record S3Place(String bucket, String key) {
  static final String SCHEME = "s3";

  private static final Pattern URI =
      Pattern.compile("[sS]3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/([A-Za-z0-9._~=,@/-]+)");

  /**
   * Takes a URI apart.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static S3Place of(String uri) {
    Matcher matcher = URI.matcher(uri);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "expected s3://BUCKET/PATH with letters, digits and any of . _ ~ = , @ - in the path, but it is '"
              + uri
              + "'");
    }
    String key = matcher.group(2);
    while (key.endsWith("/")) {
      key = key.substring(0, key.length() - 1);
    }
    for (String part : key.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new IllegalArgumentException(
            "expected a path without empty parts, '.' and '..', but it is '" + uri + "'");
      }
    }
    return new S3Place(matcher.group(1), key);
  }

  String uri() {
    return SCHEME + "://" + bucket + "/" + key;
  }

  /** The key of what is called {@code name} below this root. */
  String keyOf(String name) {
    return key + "/" + name;
  }

  /** What {@code key} is called below this root. */
  String nameOf(String objectKey) {
    return objectKey.substring(key.length() + 1);
  }
}
