package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.s3server.S3ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** A server with one bucket, and ways to reach it. */
public final class TestStore implements AutoCloseable {
  public static final String BUCKET = "tables";

  private final S3ServerProcess server;

  private TestStore(S3ServerProcess server) {
    this.server = server;
  }

  /** Starts a server in {@code directory}. */
  public static TestStore start(Path directory) throws IOException {
    Files.createDirectories(directory);
    return new TestStore(
        S3ServerProcess.start(directory, List.of(BUCKET), directory.resolve("s3-server.log")));
  }

  /**
   * The store that everything in this process finds at {@code s3:} URIs, through a front. It ends
   * with the process.
   */
  public static Front ofThisProcess() {
    return Ours.FRONT;
  }

  /** The file that is an object of this process's store, for what no request can do. */
  public static Path fileOf(String key) {
    return Ours.DIRECTORY.resolve("objects").resolve(BUCKET).resolve(key);
  }

  private static final class Ours {
    static final Front FRONT;
    static final Path DIRECTORY;

    static {
      try {
        Path directory = Files.createTempDirectory("turnkeeper-s3-");
        DIRECTORY = directory;
        TestStore store = start(directory);
        FRONT = new Front(store.endpoint());
        Path settings = directory.resolve("storage.properties");
        StringBuilder text = new StringBuilder("test.uri=s3://" + BUCKET + "\n");
        store
            .options(FRONT.endpoint())
            .forEach((key, value) -> text.append("test." + key + "=" + value + "\n"));
        Files.writeString(settings, text);
        System.setProperty(Storages.SETTINGS_PROPERTY, settings.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A place that nobody used before. */
  public static String newRoot() {
    return "s3://" + BUCKET + "/" + UUID.randomUUID();
  }

  public URI endpoint() {
    return server.endpoint();
  }

  /** Options to reach it directly. */
  public SortedMap<String, String> options() {
    return options(endpoint());
  }

  /** Options to reach it through a front. */
  public SortedMap<String, String> options(URI endpoint) {
    return new TreeMap<>(
        Map.of(
            S3Options.ENDPOINT,
            endpoint.toString(),
            S3Options.ALLOW_HTTP,
            "true",
            S3Options.REGION,
            "us-east-1",
            S3Options.CREDENTIALS,
            "file:" + server.credentials()));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
