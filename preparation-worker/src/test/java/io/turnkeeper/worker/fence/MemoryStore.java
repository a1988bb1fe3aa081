package io.turnkeeper.worker.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.authority.Manifest;
import io.turnkeeper.worker.authority.Sha256;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Manifests in memory, on a disk that fails when a test says so. */
final class MemoryStore implements FenceStore {
  final Map<String, String> files = new HashMap<>();
  boolean keepFails;
  boolean createFails;

  @Override
  public Manifest keep(String staged, String path) throws IOException {
    if (keepFails) {
      throw new IOException("no space left");
    }
    files.put(path, content(staged));
    return manifest(path);
  }

  @Override
  public boolean createExclusively(String path, Manifest manifest) throws IOException {
    if (createFails) {
      throw new IOException("no space left");
    }
    return files.putIfAbsent(path, content(manifest.path())) == null;
  }

  @Override
  public Optional<Manifest> read(String path) throws IOException {
    return files.containsKey(path) ? Optional.of(manifest(path)) : Optional.empty();
  }

  @Override
  public boolean exists(String path) {
    return files.containsKey(path);
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    return manifest(path).sizeBytes();
  }

  @Override
  public List<String> list(String directory) {
    return files.keySet().stream().filter(path -> path.startsWith(directory)).toList();
  }

  @Override
  public void delete(String path) {
    files.remove(path);
  }

  @Override
  public String lancePath(String path) {
    return "table/" + path;
  }

  @Override
  public String location() {
    return "/table";
  }

  Manifest manifest(String path) throws IOException {
    byte[] bytes = content(path).getBytes(UTF_8);
    return new Manifest(path, bytes.length, Sha256.hex(bytes));
  }

  private String content(String path) throws IOException {
    String content = files.get(path);
    if (content == null) {
      throw new IOException("no " + path);
    }
    return content;
  }
}
