package io.turnkeeper.worker.fence;

import org.jspecify.annotations.Nullable;
import org.lance.namespace.model.CreateTableVersionRequest;
import org.lance.namespace.model.CreateTableVersionResponse;

/** A table without a turn, pinned at the head it was opened at. */
final class ReadOnlyNamespace extends TableNamespace {
  private final long version;

  ReadOnlyNamespace(Manifests manifests, long version) {
    super(manifests);
    this.version = version;
  }

  @Override
  long headVersion() {
    return version;
  }

  /** Refuses, silently: Lance prints what is thrown here, and shows it to nobody. */
  @Override
  public @Nullable CreateTableVersionResponse createTableVersion(
      CreateTableVersionRequest request) {
    return null;
  }
}
