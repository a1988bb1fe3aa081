package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.Front.Request;
import io.turnkeeper.storage.s3.TestStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same in a bucket, where answers are lost, too. */
class ZombieOnS3IT extends ZombieIT {
  private static final Front FRONT = TestStore.ofThisProcess();

  /** What Lance asks of the store for a commit, and what is asked besides. */
  private static final int LANCES_REQUESTS = 3;

  private static final int OUR_REQUESTS = 4;

  @Override
  String place() {
    return TestStore.newRoot() + "/table";
  }

  @AfterEach
  void heal() {
    FRONT.deal(request -> Deed.PASS);
  }

  /** Without a fence this makes Lance append the rows twice. */
  @Test
  void aManifestPutThatIsAppliedAndCutMakesOneVersion() throws Exception {
    for (String kind : List.of("_versions/", "_fence/")) {
      AtomicInteger cut = new AtomicInteger();
      long turn = head().highestTurn() + 1;
      long version = head().version() + 1;
      HeldTurn held = take(turn);
      try (FencedTable fenced = open(held)) {
        FRONT.deal(
            request ->
                request.method().equals("PUT")
                        && request.target().contains(kind)
                        && cut.incrementAndGet() % 2 == 1
                    ? Deed.CUT_AFTER
                    : Deed.PASS);
        assertPublished(append(fenced, kind, 10), version);
      }
      assertThat(cut.get()).as("cut").isPositive();
      FRONT.deal(request -> Deed.PASS);
      assertThat(table.version()).isEqualTo(version);
      assertThat(table.rowsOf(kind)).isEqualTo(10);
    }
  }

  @Test
  void aCommitAsksForLittleMoreThanLanceDoes() throws Exception {
    HeldTurn held = take(1);
    try (FencedTable fenced = open(held)) {
      var rows = table.append("me", 10);
      FRONT.deal(request -> Deed.PASS);
      assertPublished(
          fenced.commit(fenced.dataset().version(), rows, SmallTable.noMarks(), true), 2);
    }
    assertThat(FRONT.requests())
        .extracting(Request::method, Request::target)
        .hasSizeLessThanOrEqualTo(LANCES_REQUESTS + OUR_REQUESTS);
  }
}
