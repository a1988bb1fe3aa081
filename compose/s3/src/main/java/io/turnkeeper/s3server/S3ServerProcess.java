package io.turnkeeper.s3server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A private S3 server as a child process, on a loopback port and a directory of its own. Its class
 * path lies beside this class's jar or directory of classes, in {@code s3-server}.
 */
public final class S3ServerProcess implements AutoCloseable {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  // Ctrl-C in a terminal goes to every process there; this one ends after those who still need it.
  private static final List<String> DEAF_TO_INTERRUPTS =
      List.of("sh", "-c", "trap '' INT; exec \"$@\"", "s3-server");

  private final Process process;
  private final int port;
  private final Path credentials;

  private S3ServerProcess(Process process, int port, Path credentials) {
    this.process = process;
    this.port = port;
    this.credentials = credentials;
  }

  /**
   * Starts a server that keeps its objects in {@code directory}, and waits until it answers.
   *
   * @param buckets made unless they are there
   * @param log where its messages go
   */
  public static S3ServerProcess start(Path directory, List<String> buckets, Path log)
      throws IOException {
    Path objects = directory.resolve("objects");
    for (String bucket : buckets) {
      Files.createDirectories(objects.resolve(bucket));
    }
    String keyId = "turnkeeper";
    String secret = UUID.randomUUID().toString();
    Path credentials = directory.resolve("credentials");
    write(credentials, keyId, secret);
    Process process =
        new ProcessBuilder(command(objects))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    OutputStream in = process.getOutputStream();
    in.write((keyId + "\n" + secret + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
    return new S3ServerProcess(process, port(process, log), credentials);
  }

  /** Where only its owner can read them. */
  private static void write(Path credentials, String keyId, String secret) throws IOException {
    Files.deleteIfExists(credentials);
    Files.createFile(
        credentials,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(
        credentials,
        """
        [default]
        aws_access_key_id = %s
        aws_secret_access_key = %s
        """
            .formatted(keyId, secret));
  }

  private static List<String> command(Path objects) {
    Path own = ownClasses();
    List<String> command = new ArrayList<>(DEAF_TO_INTERRUPTS);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=s3-server-logback.xml",
            "-cp",
            own + File.pathSeparator + own.resolveSibling("s3-server") + "/*",
            S3Server.class.getName(),
            objects.toString()));
    return command;
  }

  private static Path ownClasses() {
    try {
      return Path.of(
          S3ServerProcess.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("expected a path of these classes", e);
    }
  }

  private static int port(Process process, Path log) throws IOException {
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    while (true) {
      @Nullable String line = out.readLine();
      if (line == null) {
        throw new IOException("expected the S3 server to start, but it ended; its log is " + log);
      }
      if (line.startsWith(S3Server.PORT)) {
        return Integer.parseInt(line.substring(S3Server.PORT.length()));
      }
    }
  }

  public int port() {
    return port;
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The file with the one key that it accepts, as the tools of AWS write it. */
  public Path credentials() {
    return credentials;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
