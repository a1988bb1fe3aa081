package io.turnkeeper.worker.authority;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How to reach etcd.
 *
 * @param endpoints the client URLs of its members
 * @param prefix what every key begins with; all that share tables must share it
 * @param callTimeout after which one attempt is given up and, if that is safe, repeated
 */
public record EtcdSettings(List<URI> endpoints, String prefix, Duration callTimeout) {
  public static final String DEFAULT_PREFIX = "/turnkeeper/";

  /** Short, since a repeated call goes to the next member, and one that hangs does not recover. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofMillis(1500);

  public EtcdSettings {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("expected at least one etcd endpoint, but there is none");
    }
    if (!prefix.endsWith("/")) {
      throw new IllegalArgumentException(
          "expected a key prefix that ends with '/', but it is '" + prefix + "'");
    }
  }

  /** The defaults, for these members. */
  public static EtcdSettings of(URI... endpoints) {
    return new EtcdSettings(List.of(endpoints), DEFAULT_PREFIX, DEFAULT_CALL_TIMEOUT);
  }
}
