package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Head;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Manifests that commits left behind up to a head, and nobody needs once it is visible.
 *
 * <p>Nothing above the head is touched, so this does no harm even after the turn was lost: what a
 * later holder stages lies above it.
 */
public final class Leftovers {
  private final FenceStore store;
  private final Head head;

  /** What lies below {@code head}, which is visible. */
  public Leftovers(Head head) {
    this.store = new LocalFenceStore(Path.of(head.uri()));
    this.head = head;
  }

  /** What waited for the authority's word, but for the head's own. */
  public List<String> pending() throws IOException {
    return store.list(ManifestPaths.FENCE).stream()
        .filter(path -> isOld(ManifestPaths.pendingVersion(path)))
        .filter(path -> !path.equals(head.manifest().path()))
        .toList();
  }

  /** What Lance staged and does not delete after a success. */
  public List<String> staged() throws IOException {
    return store.list(ManifestPaths.VERSIONS).stream()
        .filter(path -> isOld(ManifestPaths.stagedVersion(path)))
        .toList();
  }

  /** How much room what was staged takes; what waited is another name of what is visible. */
  public long bytes() throws IOException {
    long bytes = 0;
    for (String path : staged()) {
      bytes += store.sizeBytes(path);
    }
    return bytes;
  }

  public void delete(String path) throws IOException {
    store.delete(path);
  }

  private boolean isOld(OptionalLong version) {
    return version.isPresent() && version.getAsLong() <= head.version();
  }
}
