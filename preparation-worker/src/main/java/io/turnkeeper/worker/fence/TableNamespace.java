package io.turnkeeper.worker.fence;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.namespace.LanceNamespace;
import org.lance.namespace.errors.ServiceUnavailableException;
import org.lance.namespace.errors.TableVersionNotFoundException;
import org.lance.namespace.model.DeclareTableRequest;
import org.lance.namespace.model.DeclareTableResponse;
import org.lance.namespace.model.DescribeTableRequest;
import org.lance.namespace.model.DescribeTableResponse;
import org.lance.namespace.model.DescribeTableVersionRequest;
import org.lance.namespace.model.DescribeTableVersionResponse;
import org.lance.namespace.model.ListTableVersionsRequest;
import org.lance.namespace.model.ListTableVersionsResponse;
import org.lance.namespace.model.TableVersion;

/**
 * One table as Lance asks for it: where it lies, and that its versions are not Lance's to choose.
 * No version above the head is answered, even if there is a file of that name. Lance calls from
 * threads of its own.
 */
abstract class TableNamespace implements LanceNamespace {
  /** The table's name inside this namespace, which holds no other. */
  static final List<String> TABLE = List.of("table");

  private final Manifests manifests;

  TableNamespace(Manifests manifests) {
    this.manifests = manifests;
  }

  /** The newest version there is for the user of this object; it is visible already. */
  abstract long headVersion();

  @Override
  public final void initialize(Map<String, String> properties, BufferAllocator allocator) {}

  /** A constant: an exception here aborts the process. */
  @Override
  public final String namespaceId() {
    return "turnkeeper";
  }

  @Override
  public final DescribeTableResponse describeTable(DescribeTableRequest request) {
    DescribeTableResponse response = new DescribeTableResponse();
    response.setLocation(manifests.table().location());
    response.setStorageOptions(storageOptions());
    response.setManagedVersioning(true);
    return response;
  }

  @Override
  public final DeclareTableResponse declareTable(DeclareTableRequest request) {
    DeclareTableResponse response = new DeclareTableResponse();
    response.setLocation(manifests.table().location());
    response.setStorageOptions(storageOptions());
    response.setManagedVersioning(true);
    return response;
  }

  @Override
  public final ListTableVersionsResponse listTableVersions(ListTableVersionsRequest request) {
    boolean descending = Boolean.TRUE.equals(request.getDescending());
    Integer limit = request.getLimit();
    long head = headVersion();
    List<TableVersion> answer = new ArrayList<>();
    if (descending && limit != null && limit == 1) {
      answer.add(visible(head));
    } else {
      Comparator<Long> order = descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
      versionsUpTo(head).stream()
          .sorted(order)
          .limit(limit == null ? Long.MAX_VALUE : limit)
          .forEach(version -> answer.add(visible(version)));
    }
    ListTableVersionsResponse response = new ListTableVersionsResponse();
    response.setVersions(answer);
    return response;
  }

  @Override
  public final DescribeTableVersionResponse describeTableVersion(
      DescribeTableVersionRequest request) {
    long head = headVersion();
    long version = request.getVersion() == null ? head : request.getVersion();
    if (version < 1 || version > head || !exists(version)) {
      throw new TableVersionNotFoundException(
          "expected a version from 1 to " + head + ", but it is " + version);
    }
    DescribeTableVersionResponse response = new DescribeTableVersionResponse();
    response.setVersion(visible(version));
    return response;
  }

  private Map<String, String> storageOptions() {
    try {
      return manifests.table().lanceOptions();
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  final Manifests manifests() {
    return manifests;
  }

  /** The version as Lance opens it. */
  private TableVersion visible(long version) {
    String path = ManifestPaths.visible(version);
    try {
      return visible(
          version,
          manifests.table().stat(path).orElseThrow(() -> new NoSuchFileException(path)).bytes());
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  /** The same for a version whose manifest's size is known. */
  final TableVersion visible(long version, long manifestBytes) {
    TableVersion answer = new TableVersion();
    answer.setVersion(version);
    answer.setManifestPath(manifests.table().key() + "/" + ManifestPaths.visible(version));
    answer.setManifestSize(manifestBytes);
    return answer;
  }

  private List<Long> versionsUpTo(long head) {
    try {
      return manifests.versions().stream().filter(version -> version <= head).toList();
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private boolean exists(long version) {
    try {
      return manifests.table().stat(ManifestPaths.visible(version)).isPresent();
    } catch (IOException e) {
      throw unavailable(e);
    }
  }

  private static RuntimeException unavailable(IOException cause) {
    return new ServiceUnavailableException("the table's manifests cannot be read: " + cause);
  }
}
