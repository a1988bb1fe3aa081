package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.StorageAccess;
import io.turnkeeper.events.storage.StorageProvider;
import java.util.SortedMap;

/** Makes the storages of {@code s3:} URIs; {@link S3Options} says how they are reached. */
public final class S3StorageProvider implements StorageProvider {
  @Override
  public String scheme() {
    return S3Place.SCHEME;
  }

  @Override
  public StorageAccess connect(SortedMap<String, String> options) {
    return S3Access.with(S3Options.of(options, System.getenv()));
  }
}
