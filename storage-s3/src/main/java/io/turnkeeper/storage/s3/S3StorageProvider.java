package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.StorageAccess;
import io.turnkeeper.events.storage.StorageProvider;
import io.turnkeeper.events.storage.Storages;
import java.util.SortedMap;

/** Makes the storages of {@code s3:} URIs; {@link S3Options} says how they are reached. */
public final class S3StorageProvider implements StorageProvider {
  @Override
  public String scheme() {
    return S3Place.SCHEME;
  }

  @Override
  public StorageAccess connect(SortedMap<String, String> options) {
    S3Options read = S3Options.of(options, System.getenv());
    return Boolean.parseBoolean(System.getenv(Storages.COUNTED_VARIABLE))
        ? S3Access.counted(read)
        : S3Access.with(read);
  }
}
