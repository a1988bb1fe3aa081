package io.turnkeeper.local.demo;

import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.local.DataDir;
import io.turnkeeper.s3server.S3ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the demo's tables lie, and the server that keeps them there, if there is one. */
final class DemoStorage implements AutoCloseable {
  /** What {@code --storage} may say. */
  enum Choice {
    LOCAL,
    S3
  }

  private static final String BUCKET = "demo";

  private final String tables;
  private final @Nullable S3ServerProcess server;

  private DemoStorage(String tables, @Nullable S3ServerProcess server) {
    this.tables = tables;
    this.server = server;
  }

  static DemoStorage open(Choice choice, DataDir data) throws IOException {
    return switch (choice) {
      case LOCAL -> new DemoStorage(data.tables().toString(), null);
      case S3 -> bucket(data);
    };
  }

  private static DemoStorage bucket(DataDir data) throws IOException {
    Path directory = data.root().resolve("s3");
    Files.createDirectories(directory);
    S3ServerProcess server =
        S3ServerProcess.start(directory, List.of(BUCKET), data.logs().resolve("s3-server.log"));
    Path settings = directory.resolve("storage.properties");
    Files.writeString(
        settings,
        """
        demo.uri=s3://%s
        demo.endpoint=%s
        demo.allow_http=true
        demo.region=us-east-1
        demo.credentials=file:%s
        """
            .formatted(BUCKET, server.endpoint(), server.credentials()));
    // What starts from here on, in this process and below it, reaches the bucket so.
    System.setProperty(Storages.SETTINGS_PROPERTY, settings.toString());
    return new DemoStorage("s3://" + BUCKET + "/tables", server);
  }

  /** A path or a URI. */
  String tables() {
    return tables;
  }

  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
    }
  }
}
