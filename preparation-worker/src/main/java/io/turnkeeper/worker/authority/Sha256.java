package io.turnkeeper.worker.authority;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The digest by which manifests and places are told apart. */
public final class Sha256 {
  private Sha256() {}

  /** The digest of {@code bytes} in 64 lower-case hexadecimal digits. */
  public static String hex(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256 in every Java runtime", e);
    }
  }
}
