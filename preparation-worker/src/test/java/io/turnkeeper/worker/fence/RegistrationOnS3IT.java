package io.turnkeeper.worker.fence;

import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.TestStore;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The same in a bucket. */
@EnabledIfSystemProperty(named = "storage", matches = "all")
class RegistrationOnS3IT extends RegistrationIT {
  static final Front FRONT = TestStore.ofThisProcess();

  @Override
  String place() {
    return TestStore.newRoot() + "/table";
  }
}
