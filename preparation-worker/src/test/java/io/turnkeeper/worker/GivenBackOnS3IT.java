package io.turnkeeper.worker;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same in a bucket. */
@ExtendWith(InBucket.class)
@EnabledIfSystemProperty(named = "storage", matches = "all")
class GivenBackOnS3IT extends GivenBackIT {
  @Override
  String place() {
    return InBucket.newPlace();
  }
}
