package io.turnkeeper.bench;

import io.turnkeeper.worker.fence.ManifestPaths;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.namespace.LanceNamespace;
import org.lance.namespace.model.CreateTableVersionRequest;
import org.lance.namespace.model.CreateTableVersionResponse;
import org.lance.namespace.model.DescribeTableRequest;
import org.lance.namespace.model.DescribeTableResponse;
import org.lance.namespace.model.ListTableVersionsRequest;
import org.lance.namespace.model.ListTableVersionsResponse;
import org.lance.namespace.model.TableVersion;

/**
 * What the fence is compared with: a namespace that manages versions without asking anybody, and
 * writes each manifest once and syncs it once.
 */
final class OneSyncNamespace implements LanceNamespace {
  static final List<String> TABLE = List.of("table");

  private final Path table;
  private volatile long newest;

  OneSyncNamespace(Path table, long newest) {
    this.table = table;
    this.newest = newest;
  }

  @Override
  public void initialize(Map<String, String> properties, BufferAllocator allocator) {}

  @Override
  public String namespaceId() {
    return "bench";
  }

  @Override
  public DescribeTableResponse describeTable(DescribeTableRequest request) {
    DescribeTableResponse response = new DescribeTableResponse();
    response.setLocation(table.toString());
    response.setManagedVersioning(true);
    return response;
  }

  @Override
  public ListTableVersionsResponse listTableVersions(ListTableVersionsRequest request) {
    ListTableVersionsResponse response = new ListTableVersionsResponse();
    response.setVersions(List.of(version(newest)));
    return response;
  }

  @Override
  public CreateTableVersionResponse createTableVersion(CreateTableVersionRequest request) {
    long version = request.getVersion();
    try (FileChannel visible =
        FileChannel.open(
            table.resolve(ManifestPaths.visible(version)),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE)) {
      ByteBuffer manifest =
          ByteBuffer.wrap(Files.readAllBytes(Path.of("/" + request.getManifestPath())));
      while (manifest.hasRemaining()) {
        visible.write(manifest);
      }
      visible.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    newest = version;
    CreateTableVersionResponse response = new CreateTableVersionResponse();
    response.setVersion(version(version));
    return response;
  }

  private TableVersion version(long number) {
    Path manifest = table.resolve(ManifestPaths.visible(number));
    TableVersion version = new TableVersion();
    version.setVersion(number);
    version.setManifestPath(manifest.toString().substring(1));
    try {
      version.setManifestSize(Files.size(manifest));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return version;
  }
}
