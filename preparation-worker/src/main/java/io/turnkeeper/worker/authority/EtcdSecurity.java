package io.turnkeeper.worker.authority;

import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What proves etcd to the worker, and the worker to etcd.
 *
 * @param authorities certificates (PEM) of those who vouch for etcd; null trusts those of the
 *     system
 * @param certificate the worker's certificate (PEM); null shows none
 * @param key its private key (PEM, PKCS#8, not encrypted); null exactly if there is no certificate
 * @param user the user of etcd's own accounts, empty for none
 * @param password that user's password
 */
public record EtcdSecurity(
    @Nullable Path authorities,
    @Nullable Path certificate,
    @Nullable Path key,
    String user,
    String password) {
  /** Plain text and no account; right for etcd on the same machine only. */
  public static final EtcdSecurity NONE = new EtcdSecurity(null, null, null, "", "");

  public EtcdSecurity {
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException(
          "expected a client certificate with its key, but there is only one of them");
    }
    if (user.isEmpty() != password.isEmpty()) {
      throw new IllegalArgumentException(
          "expected a user with a password, but there is only one of them");
    }
    readable("certificates of authorities", authorities);
    readable("client certificate", certificate);
    readable("client key", key);
  }

  private static void readable(String what, @Nullable Path file) {
    if (file != null && !Files.isReadable(file)) {
      throw new IllegalArgumentException(
          "expected the " + what + " to be readable, but " + file + " is not");
    }
  }

  /**
   * The password that is the first line of a file.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static String password(Path file) {
    try {
      return Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "expected a password in " + file + ", but it cannot be read: " + e, e);
    }
  }

  boolean hasUser() {
    return !user.isEmpty();
  }

  /**
   * Puts the certificates into a connection that is being made.
   *
   * @throws IllegalArgumentException if they are not in a form that is understood
   */
  void into(SslContextBuilder connection) {
    if (authorities != null) {
      connection.trustManager(authorities.toFile());
    }
    if (certificate != null && key != null) {
      connection.keyManager(certificate.toFile(), key.toFile());
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "EtcdSecurity[authorities="
        + authorities
        + ", certificate="
        + certificate
        + ", key="
        + key
        + ", user="
        + user
        + "]";
  }
}
