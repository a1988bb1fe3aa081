package io.turnkeeper.worker.trial;

import io.turnkeeper.storage.s3.TestStore;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The same in a bucket. */
@EnabledIfSystemProperty(named = "storage", matches = "all")
class FenceTrialsOnS3IT extends FenceTrialsIT {
  @Override
  String place() {
    TestStore.ofThisProcess();
    return TestStore.newRoot();
  }
}
