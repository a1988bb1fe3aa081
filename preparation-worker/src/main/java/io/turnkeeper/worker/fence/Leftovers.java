package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Head;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Manifests that commits left behind up to a head, and nobody needs once it is visible.
 *
 * <p>Nothing above the head is touched, so this does no harm even after the turn was lost: what a
 * later holder stages lies above it.
 */
public final class Leftovers {
  private final Manifests manifests;
  private final Head head;

  /** What lies below {@code head}, which is visible. */
  public Leftovers(Head head) {
    this.manifests = Manifests.at(head.uri());
    this.head = head;
  }

  /** What waited for the authority's word, but for the head's own. */
  public List<StoredFile> pending() throws IOException {
    return manifests.table().list(ManifestPaths.FENCE).files().stream()
        .filter(file -> isOld(ManifestPaths.pendingVersion(file.name())))
        .filter(file -> !file.name().equals(head.manifest().path()))
        .toList();
  }

  /** What Lance staged and does not delete after a success. */
  public List<StoredFile> staged() throws IOException {
    return manifests.table().list(ManifestPaths.VERSIONS).files().stream()
        .filter(file -> isOld(ManifestPaths.stagedVersion(file.name())))
        .toList();
  }

  /** How much room what was staged takes; what waited is another name of what is visible. */
  public long bytes() throws IOException {
    return staged().stream().mapToLong(StoredFile::bytes).sum();
  }

  private boolean isOld(OptionalLong version) {
    return version.isPresent() && version.getAsLong() <= head.version();
  }
}
