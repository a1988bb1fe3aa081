package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.StorageRoot;
import io.turnkeeper.s3server.S3ServerProcess;
import java.io.IOException;
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

  /** Everything in its bucket. */
  public StorageRoot root(URI endpoint) {
    return new StorageRoot("s3://" + BUCKET, options(endpoint));
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
