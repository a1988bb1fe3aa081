package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.WorkProgressed;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.Front.Request;
import io.turnkeeper.storage.s3.TestStore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A store that answers and gives nothing is no progress. */
@ExtendWith(InBucket.class)
@Timeout(60)
class StalledStoreIT extends BenchTestCase {
  private static final Front FRONT = TestStore.ofThisProcess();

  @Override
  String place() {
    return InBucket.newPlace();
  }

  @AfterEach
  void heal() {
    FRONT.deal(request -> Deed.PASS);
  }

  @Test
  void oneWhoseStoreAnswersHeadersAndThenStallsIsNotHeardAndIsCancelled() throws Exception {
    mergeSome(1, 2);
    FRONT.deal(StalledStoreIT::stallRows);
    RunUnit unit = bench.order(Kind.INDEX, Mode.OUTSIDE, index());
    bench.reports.await(
        PreparationPlanned.class, planned -> planned.attempt().equals(unit.attempt()));
    // What was complete before is heard within a second.
    TimeUnit.SECONDS.sleep(1);
    long heard = bench.reports.all(WorkProgressed.class).size();
    assertThat(FRONT.requests())
        .filteredOn(request -> stallRows(request) == Deed.STALL)
        .isNotEmpty()
        .as("Lance is counted")
        .allMatch(request -> request.head().contains("UNSIGNED-PAYLOAD"));
    TimeUnit.SECONDS.sleep(3);
    assertThat(bench.reports.all(WorkProgressed.class)).hasSize((int) heard);

    bench.attempts.cancel(new CancelUnit(unit.attempt(), heard, "STALLED", "no progress"));
    FRONT.deal(request -> Deed.PASS);
    bench.awaitReleased(unit);
    assertThat(bench.reports.all(UnitFailed.class))
        .singleElement()
        .returns("STALLED", UnitFailed::code);
    assertThat(files("_prepared")).isEmpty();
    assertThat(files("_indices")).isEmpty();
  }

  private static Deed stallRows(Request request) {
    return request.method().equals("GET") && request.target().contains("/data/")
        ? Deed.STALL
        : Deed.PASS;
  }
}
