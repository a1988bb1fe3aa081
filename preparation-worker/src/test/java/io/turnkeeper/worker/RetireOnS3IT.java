package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.TestStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same in a bucket. */
@ExtendWith(InBucket.class)
@EnabledIfSystemProperty(named = "storage", matches = "all")
class RetireOnS3IT extends RetireIT {
  /** 17 were seen: ten folders, some of which Lance lists again for itself. */
  private static final int LISTINGS = 20;

  private static final Front FRONT = TestStore.ofThisProcess();

  @Override
  String place() {
    return InBucket.newPlace();
  }

  @Override
  Path fileOf(String name) {
    return TestStore.fileOf(storage().key() + "/" + name);
  }

  @Test
  void aPassListsTheTableAFewTimesHoweverMuchGoes() throws Exception {
    mergeSome(4, 12);
    FRONT.deal(request -> Deed.PASS);
    retire(1);
    assertThat(FRONT.requests())
        .filteredOn(request -> request.target().contains("list-type=2"))
        .hasSizeLessThan(LISTINGS);
  }
}
