package io.turnkeeper.worker;

import io.turnkeeper.worker.authority.EtcdSecurity;
import io.turnkeeper.worker.authority.EtcdSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command reaches etcd. */
final class EtcdOptions {
  @Option(names = "--etcd", required = true, split = ",", description = "Client URLs of etcd.")
  @SuppressWarnings("NullAway.Init")
  private List<URI> etcd;

  @Option(
      names = "--etcd-prefix",
      defaultValue = EtcdSettings.DEFAULT_PREFIX,
      description = "What all keys in etcd begin with (default: ${DEFAULT-VALUE}).")
  private String prefix = EtcdSettings.DEFAULT_PREFIX;

  @Option(
      names = "--etcd-ca",
      paramLabel = "FILE.pem",
      converter = FileToRead.class,
      description = "Who vouches for etcd, for URLs with https.")
  private @Nullable Path authorities;

  @Option(
      names = "--etcd-cert",
      paramLabel = "FILE.pem",
      converter = FileToRead.class,
      description = "The client certificate.")
  private @Nullable Path certificate;

  @Option(
      names = "--etcd-key",
      paramLabel = "FILE.pem",
      converter = FileToRead.class,
      description = "Its private key: PKCS#8, not encrypted.")
  private @Nullable Path key;

  @Option(names = "--etcd-user", description = "A user of etcd.")
  private String user = "";

  @Option(
      names = "--etcd-password-file",
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "A file whose first line is that user's password.")
  private @Nullable Path passwordFile;

  /**
   * The settings that the options make.
   *
   * @throws IllegalArgumentException if they do not go together
   */
  EtcdSettings settings() {
    return new EtcdSettings(
        etcd,
        prefix,
        EtcdSettings.DEFAULT_CALL_TIMEOUT,
        new EtcdSecurity(
            authorities,
            certificate,
            key,
            user,
            passwordFile == null ? "" : EtcdSecurity.password(passwordFile)));
  }
}
