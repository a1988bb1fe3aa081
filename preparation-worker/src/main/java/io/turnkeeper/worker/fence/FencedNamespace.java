package io.turnkeeper.worker.fence;

import org.jspecify.annotations.Nullable;
import org.lance.namespace.model.CreateTableVersionRequest;
import org.lance.namespace.model.CreateTableVersionResponse;
import org.lance.namespace.model.TableVersion;

/** The place where a commit of Lance becomes real, for the table of one turn. */
final class FencedNamespace extends TableNamespace {
  private final TurnCommits commits;
  private volatile boolean pretending;

  FencedNamespace(Manifests manifests, TurnCommits commits) {
    super(manifests);
    this.commits = commits;
  }

  @Override
  long headVersion() {
    return commits.held().head().version();
  }

  /**
   * Whether a refusal is answered as a success, because the call would otherwise try for ever;
   * whoever asks for it throws the handle away after a refusal.
   */
  void pretend(boolean pretend) {
    pretending = pretend;
  }

  @Override
  public @Nullable CreateTableVersionResponse createTableVersion(
      CreateTableVersionRequest request) {
    CreateTableVersionResponse response = new CreateTableVersionResponse();
    if (commits.commit(request.getVersion(), request.getManifestPath())) {
      response.setVersion(
          visible(request.getVersion(), commits.held().head().manifest().sizeBytes()));
      return response;
    }
    if (pretending) {
      response.setVersion(staged(request));
      return response;
    }
    // Null refuses without a word; what is thrown would be printed and shown to nobody.
    return null;
  }

  private static TableVersion staged(CreateTableVersionRequest request) {
    TableVersion version = new TableVersion();
    version.setVersion(request.getVersion());
    version.setManifestPath(request.getManifestPath());
    version.setManifestSize(request.getManifestSize());
    return version;
  }
}
