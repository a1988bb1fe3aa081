package io.turnkeeper.worker.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.auth.Permission;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.worker.WorkerProperties;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An etcd that asks for a certificate and an account, reached as a worker's properties say. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("NullAway.Init")
class SecureEtcdIT {
  private static final TableId TABLE = new TableId("flights");
  private static final Manifest MANIFEST = new Manifest("_fence/1", 10, "0".repeat(64));

  @TempDir static Path directory;

  private static Certificates certificates;
  private static EtcdProcess etcd;

  @BeforeAll
  static void start() throws Exception {
    certificates = new Certificates(directory);
    certificates.issue("server");
    // Of this name etcd makes its administrator.
    certificates.issue("root");
    certificates.issue("worker");
    etcd =
        EtcdProcess.start(
            "https",
            List.of(
                "--cert-file=" + certificates.certificate("server"),
                "--key-file=" + certificates.key("server"),
                "--trusted-ca-file=" + certificates.authority(),
                "--client-cert-auth",
                "--auth-token-ttl=2"));
    allowTheWorkerItsPrefix();
  }

  private static void allowTheWorkerItsPrefix() throws Exception {
    EtcdSettings settings =
        new EtcdSettings(
            List.of(etcd.endpoint()),
            "/",
            Duration.ofSeconds(2),
            new EtcdSecurity(
                certificates.authority(),
                certificates.certificate("root"),
                certificates.key("root"),
                "",
                ""));
    try (Client client =
        Client.builder().endpoints(etcd.endpoint()).sslContext(settings.security()::into).build()) {
      Auth auth = client.getAuthClient();
      auth.userAdd(bytes("root"), bytes("rootpw")).get(5, TimeUnit.SECONDS);
      auth.roleAdd(bytes("root")).get(5, TimeUnit.SECONDS);
      auth.userGrantRole(bytes("root"), bytes("root")).get(5, TimeUnit.SECONDS);
      auth.userAdd(bytes("app"), bytes("secret")).get(5, TimeUnit.SECONDS);
      auth.roleAdd(bytes("app")).get(5, TimeUnit.SECONDS);
      auth.roleGrantPermission(
              bytes("app"), bytes("/app/"), bytes("/app0"), Permission.Type.READWRITE)
          .get(5, TimeUnit.SECONDS);
      auth.userGrantRole(bytes("app"), bytes("app")).get(5, TimeUnit.SECONDS);
      auth.authEnable().get(5, TimeUnit.SECONDS);
    }
  }

  @AfterAll
  static void stop() {
    etcd.close();
  }

  @Test
  void aWorkerWithCertificateAndAccountTakesTurnsAndCommits() throws Exception {
    try (EtcdAuthority authority = EtcdAuthority.connect(settings(properties()))) {
      assertThat(authority.register(TABLE, "/t", 1, MANIFEST, new TreeMap<>(), soon()))
          .isInstanceOf(RegisterOutcome.Registered.class);
      Attempt attempt = new Attempt(new UnitId(TABLE, 1), 1, new ExecutorId("w"), 1);
      HeldTurn held =
          ((TakeOutcome.Taken) authority.take(attempt, 1, Duration.ofSeconds(3), soon())).held();
      // Longer than a token lives, and than the lease would without renewals.
      assertThat(held.lease().lost().toCompletableFuture()).failsWithin(Duration.ofSeconds(5));
      assertThat(
              authority.commit(
                  held,
                  new Commit(
                      2, new Manifest("_fence/2", 10, "0".repeat(64)), new TreeMap<>(), true),
                  soon()))
          .isInstanceOf(CommitOutcome.Committed.class);
    }
  }

  @Test
  void aWrongPasswordSaysSo() {
    Properties properties = properties();
    properties.setProperty("etcd.password", "guessed");
    assertUnavailable(properties, "authentication failed, invalid user ID or password");
  }

  @Test
  void aPrefixOutsideTheRoleSaysSo() {
    Properties properties = properties();
    properties.setProperty("etcd.prefix", "/other/");
    assertUnavailable(properties, "permission denied");
  }

  @Test
  void aWorkerWithoutCertificateIsTurnedAwayInTime() {
    Properties properties = properties();
    properties.remove("etcd.client.cert");
    properties.remove("etcd.client.key");
    assertUnavailable(properties, "");
  }

  @Test
  void anEtcdThatNobodyVouchesForIsNotTrusted() {
    Properties properties = properties();
    properties.remove("etcd.ca");
    assertUnavailable(properties, "certif");
  }

  @Test
  void thePasswordCanLieInAFile() throws Exception {
    Path file = Files.writeString(directory.resolve("password"), "secret\n");
    Properties properties = properties();
    properties.remove("etcd.password");
    properties.setProperty("etcd.password.file", file.toString());
    try (EtcdAuthority authority = EtcdAuthority.connect(settings(properties))) {
      assertThat(authority.head(new TableId("none"), soon())).isEmpty();
    }
  }

  private static void assertUnavailable(Properties properties, String reason) {
    try (EtcdAuthority authority = EtcdAuthority.connect(settings(properties))) {
      Deadline deadline = Deadline.after(Duration.ofSeconds(2));
      assertThatThrownBy(() -> authority.head(TABLE, deadline))
          .isInstanceOf(AuthorityUnavailableException.class)
          .hasMessageContaining(reason);
      assertThat(deadline.atNanos() - System.nanoTime())
          .as("answers soon after the deadline")
          .isGreaterThan(-Duration.ofSeconds(2).toNanos());
    }
  }

  private static EtcdSettings settings(Properties properties) {
    return WorkerProperties.of(properties).etcd();
  }

  private static Properties properties() {
    Properties properties = new Properties();
    URI endpoint = etcd.endpoint();
    properties.setProperty("bootstrap.servers", "127.0.0.1:9092");
    properties.setProperty("executor.id", "w");
    properties.setProperty("etcd.endpoints", endpoint.toString());
    properties.setProperty("etcd.prefix", "/app/");
    properties.setProperty("etcd.ca", certificates.authority().toString());
    properties.setProperty("etcd.client.cert", certificates.certificate("worker").toString());
    properties.setProperty("etcd.client.key", certificates.key("worker").toString());
    properties.setProperty("etcd.user", "app");
    properties.setProperty("etcd.password", "secret");
    return properties;
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }
}
