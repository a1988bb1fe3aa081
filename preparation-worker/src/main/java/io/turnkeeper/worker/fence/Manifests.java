package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Manifest;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import io.turnkeeper.worker.authority.Sha256;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/** The manifests among the files of one table. */
record Manifests(Storage table) {

  /** The manifests of the table at {@code uri}, which is canonical. */
  static Manifests at(String uri) {
    return new Manifests(Storage.at(uri));
  }

  /** A staged manifest that was copied, and can be made visible without being read again. */
  final class Kept {
    private final Manifest manifest;
    private final byte[] content;

    private Kept(Manifest manifest, byte[] content) {
      this.manifest = manifest;
      this.content = content;
    }

    Manifest manifest() {
      return manifest;
    }

    /** Gives it another name; false if that is taken. */
    boolean copyTo(String path) throws IOException {
      return table.copyIfAbsent(manifest.path(), path, content);
    }
  }

  /** Copies a staged manifest to {@code path}, which is new. */
  Kept keep(String staged, String path) throws IOException {
    byte[] content = table.content(staged);
    if (!table.createIfAbsent(path, content)) {
      throw new IOException("expected " + path + " to be new, but it is there");
    }
    return new Kept(manifest(path, content), content);
  }

  /** What lies at {@code path}, read to the end; empty if there is nothing. */
  Optional<Manifest> read(String path) throws IOException {
    try {
      byte[] content = table.content(path);
      return content.length == 0 ? Optional.empty() : Optional.of(manifest(path, content));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static Manifest manifest(String path, byte[] content) {
    return new Manifest(path, content.length, Sha256.hex(content));
  }

  /** The versions that readers see, in no order. */
  List<Long> versions() throws IOException {
    return table.list(ManifestPaths.VERSIONS).files().stream()
        .map(StoredFile::name)
        .flatMap(path -> ManifestPaths.version(path).stream().boxed())
        .toList();
  }
}
