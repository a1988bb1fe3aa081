package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Listings come in pages, and the contract holds whatever fits in one. */
class SmallPagesIT extends StorageContract {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path dir;

  @SuppressWarnings("NullAway.Init")
  private static TestStore store;

  @SuppressWarnings("NullAway.Init")
  private static S3Access access;

  private final Storage storage = access.at(TestStore.newRoot());

  @BeforeAll
  static void start() throws IOException {
    store = TestStore.start(dir);
    access = S3Access.with(S3Options.of(store.options(), new TreeMap<>()), 2);
  }

  @AfterAll
  static void stop() throws IOException {
    access.close();
    store.close();
  }

  @Override
  protected Storage storage() {
    return storage;
  }
}
