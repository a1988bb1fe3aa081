package io.turnkeeper.worker;

import io.turnkeeper.storage.s3.TestStore;
import io.turnkeeper.worker.child.Children;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has the units of a class prepared in processes that know the bucket of this one. */
final class InBucket implements BeforeAllCallback, AfterAllCallback {
  static String newPlace() {
    return TestStore.newRoot() + "/";
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    TestStore.ofThisProcess();
    // Those that others share may have been started before it was known.
    BenchTestCase.children = new Children(1);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    BenchTestCase.children.close();
  }
}
