package io.turnkeeper.worker.work;

import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.TestStore;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The same in a bucket. */
@EnabledIfSystemProperty(named = "storage", matches = "all")
class TableObservationOnS3IT extends TableObservationIT {
  static final Front FRONT = TestStore.ofThisProcess();

  @Override
  String place() {
    return TestStore.newRoot();
  }
}
