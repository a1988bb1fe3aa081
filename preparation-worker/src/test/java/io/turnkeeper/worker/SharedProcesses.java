package io.turnkeeper.worker;

import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.child.Children;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One etcd and one warm child for all classes of a run that do not stop them: each test has keys of
 * its own.
 */
final class SharedProcesses implements BeforeAllCallback {
  private static final class Started implements AutoCloseable {
    private final EtcdProcess etcd;
    private final Children children = new Children(1);

    private Started(EtcdProcess etcd) {
      this.etcd = etcd;
    }

    @Override
    public void close() {
      children.close();
      etcd.close();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Started started =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.GLOBAL)
            .getOrComputeIfAbsent(Started.class, key -> start(), Started.class);
    BenchTestCase.etcd = started.etcd;
    BenchTestCase.children = started.children;
  }

  private static Started start() {
    try {
      return new Started(EtcdProcess.start());
    } catch (Exception e) {
      throw new IllegalStateException("cannot start etcd", e);
    }
  }
}
