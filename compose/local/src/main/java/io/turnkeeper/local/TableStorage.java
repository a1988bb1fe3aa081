package io.turnkeeper.local;

import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.s3server.S3ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the tables of one run lie, and the server that keeps them there, if there is one. */
public final class TableStorage implements AutoCloseable {
  /** What {@code --storage} may say. */
  public enum Choice {
    LOCAL,
    S3
  }

  private static final String BUCKET = "demo";

  private final String tables;
  private final @Nullable S3ServerProcess server;

  private TableStorage(String tables, @Nullable S3ServerProcess server) {
    this.tables = tables;
    this.server = server;
  }

  /**
   * Makes sure that tables can be made there.
   *
   * @param directory where the tables lie, or the server keeps them
   * @param logs where the server logs, an existing directory
   */
  public static TableStorage open(Choice choice, Path directory, Path logs) throws IOException {
    return switch (choice) {
      case LOCAL -> new TableStorage(directory.resolve("tables").toString(), null);
      case S3 -> bucket(directory.resolve("s3"), logs);
    };
  }

  private static TableStorage bucket(Path directory, Path logs) throws IOException {
    Files.createDirectories(directory);
    S3ServerProcess server =
        S3ServerProcess.start(directory, List.of(BUCKET), logs.resolve("s3-server.log"));
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
    return new TableStorage("s3://" + BUCKET + "/tables", server);
  }

  /** A path or a URI. */
  public String tables() {
    return tables;
  }

  @Override
  public void close() throws IOException {
    if (server != null) {
      server.close();
    }
  }
}
