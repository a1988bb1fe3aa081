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
 * @param security certificates and account; used if the URLs begin with https
 */
public record EtcdSettings(
    List<URI> endpoints, String prefix, Duration callTimeout, EtcdSecurity security) {
  public static final String DEFAULT_PREFIX = "/turnkeeper/";

  /** Short, since a repeated call goes to the next member, and one that hangs does not recover. */
  public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofMillis(1500);

  public EtcdSettings {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("expected at least one etcd endpoint, but there is none");
    }
    boolean encrypted = isHttps(endpoints.get(0));
    for (URI endpoint : endpoints) {
      if (endpoint.getHost() == null || isHttps(endpoint) != encrypted) {
        throw new IllegalArgumentException(
            "expected URLs of members, all with http or all with https, but they are " + endpoints);
      }
    }
    if (!encrypted && (security.authorities() != null || security.certificate() != null)) {
      throw new IllegalArgumentException(
          "expected https with certificates, but the URLs are " + endpoints);
    }
    requirePrefix(prefix);
  }

  /**
   * Checks what keys are to begin with.
   *
   * @throws IllegalArgumentException if it does not end with a slash
   */
  public static String requirePrefix(String prefix) {
    if (!prefix.endsWith("/")) {
      throw new IllegalArgumentException(
          "expected a key prefix that ends with '/', but it is '" + prefix + "'");
    }
    return prefix;
  }

  /** Without certificates and account. */
  public EtcdSettings(List<URI> endpoints, String prefix, Duration callTimeout) {
    this(endpoints, prefix, callTimeout, EtcdSecurity.NONE);
  }

  /** Whether the members are spoken to over TLS. */
  boolean isEncrypted() {
    return endpoints.stream().allMatch(EtcdSettings::isHttps);
  }

  private static boolean isHttps(URI endpoint) {
    return "https".equalsIgnoreCase(endpoint.getScheme());
  }

  /** The defaults, for these members. */
  public static EtcdSettings of(URI... endpoints) {
    return new EtcdSettings(List.of(endpoints), DEFAULT_PREFIX, DEFAULT_CALL_TIMEOUT);
  }
}
