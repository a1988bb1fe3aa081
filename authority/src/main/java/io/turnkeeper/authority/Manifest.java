package io.turnkeeper.authority;

import io.turnkeeper.core.Require;

/**
 * Where the manifest of one table version lies, and what is in it.
 *
 * @param path relative to the table's root
 * @param sizeBytes its size
 * @param sha256 the digest of its bytes, 64 lower-case hexadecimal digits
 */
public record Manifest(String path, long sizeBytes, String sha256) {
  private static final int DIGEST_LENGTH = 64;

  public Manifest {
    Require.text("manifest path", path);
    Require.positive("manifest sizeBytes", sizeBytes);
    if (path.isEmpty() || path.startsWith("/")) {
      throw new IllegalArgumentException(
          "expected a manifest path relative to the table, but it is '" + path + "'");
    }
    if (sha256.length() != DIGEST_LENGTH) {
      throw new IllegalArgumentException(
          "expected a SHA-256 digest of 64 digits, but it is '" + sha256 + "'");
    }
  }
}
