package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.TestStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A store that fails anywhere in the life of a unit: what is told of it, and what is left. */
@ExtendWith(InBucket.class)
@EnabledIfSystemProperty(named = "storage", matches = "all")
class StoreFaultsOnS3IT extends BenchTestCase {
  private static final Front FRONT = TestStore.ofThisProcess();
  private static final int ROWS = 10;

  /** A burst that ends before whoever asks gives up. */
  private static final int BURST = 3;

  private final AtomicInteger asked = new AtomicInteger();

  @Override
  String place() {
    return InBucket.newPlace();
  }

  @AfterEach
  void heal() {
    FRONT.deal(request -> Deed.PASS);
  }

  /** At the first request, in the middle of the preparation, and at the publication. */
  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied,         PERMISSION_DENIED",
    "404, NoSuchBucket,         NO_SUCH_TABLE",
    "400, ExpiredToken,         IO",
    "403, RequestTimeTooSkewed, IO",
    "500, InternalError,        IO",
    "503, SlowDown,             IO"
  })
  void whateverItAnswersIsToldByItsCodeAndOtherTablesGoOn(
      int status, String answer, FailureCode code) throws Exception {
    Bench other = new Bench(etcd, children, Bench.TABLE, place(), StepListener.NONE);
    Deed refused = Deed.error(status, answer, "404, not 503, 403 or AccessDenied");
    try {
      Requests whole = requestsOfAMerge(1);
      List<Integer> from = List.of(1, whole.prepared() / 2, whole.prepared() + 1);
      for (int i = 0; i < from.size(); i++) {
        int first = from.get(i);
        tryToMerge(2 + i, request -> request >= first, refused);
        assertThat(codes())
            .as("from %s of %s on", first, whole)
            .hasSize(1 + i)
            .last()
            .isEqualTo(code.name());
        other.wal.seal(A, 1 + i, i * ROWS, ROWS);
        merge(other, 1 + i);
        finish(2 + i);
      }
      assertThat(other.rows()).isEqualTo((long) from.size() * ROWS);
      assertThat(other.reports.all(UnitFailed.class)).isEmpty();
    } finally {
      other.close();
    }
  }

  @Test
  void accessThatIsDeniedFromAnyRequestOnLosesAndDoublesNothing() throws Exception {
    Requests whole = requestsOfAMerge(1);
    for (int i = 1; i <= whole.all(); i++) {
      int first = i;
      tryToMerge(1 + i, request -> request >= first, Deed.error(403, "AccessDenied", ""));
      finish(1 + i);
    }
    assertThat(codes())
        .as("%s %s", bench.reports.all(UnitFailed.class), bench.reports.all(PublishRefused.class))
        .hasSizeGreaterThan(whole.prepared())
        .containsOnly("PERMISSION_DENIED", "IO");
    // Of a list of versions that fails below it Lance says no more than that Java failed.
    assertThat(codes()).filteredOn("IO"::equals).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void anyRequestOfAMergeMayLoseItsAnswer() throws Exception {
    Requests whole = requestsOfAMerge(1);
    for (int i = 1; i <= whole.all(); i++) {
      int lost = i;
      tryToMerge(1 + i, request -> request == lost, Deed.CUT_AFTER);
      finish(1 + i);
    }
    assertThat(bench.reports.all(UnitFailed.class).stream().map(UnitFailed::message)).isEmpty();
  }

  @Test
  void burstsOfErrorsAtAnyRequestOfAMergeAreNotSeen() throws Exception {
    Requests whole = requestsOfAMerge(1);
    for (int i = 1; i <= whole.all(); i++) {
      int first = i;
      tryToMerge(
          1 + i,
          request -> request >= first && request < first + BURST,
          Deed.error(i % 2 == 0 ? 500 : 503, "SlowDown", "Please reduce your request rate."));
      assertThat(bench.rows()).as("from request %s on", i).isEqualTo((1L + i) * ROWS);
    }
    assertThat(codes()).isEmpty();
  }

  /** How many requests a merge makes for its table and log: until it is ready, and in all. */
  private record Requests(int prepared, int all) {}

  private Requests requestsOfAMerge(long generation) throws Exception {
    bench.wal.seal(A, generation, (int) generation * ROWS, ROWS);
    deal(request -> false, Deed.PASS);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(generation, generation))));
    int prepared = asked.get();
    publish(unit);
    return new Requests(prepared, asked.get());
  }

  /** Orders the merge of a new generation from a store that deals so with its requests. */
  private void tryToMerge(long generation, IntPredicate which, Deed deed) throws Exception {
    bench.wal.seal(A, generation, (int) generation * ROWS, ROWS);
    deal(which, deed);
    merge(bench, generation);
    heal();
  }

  /**
   * The store is well again: what was not merged is merged by the next order, and nothing twice.
   */
  private void finish(long generation) throws Exception {
    if (bench.head().mergedThrough().getOrDefault(A, 0L) < generation) {
      merge(bench, generation);
    }
    assertThat(bench.head().mergedThrough())
        .as("%s %s", bench.reports.all(UnitFailed.class), bench.reports.all(PublishRefused.class))
        .containsEntry(A, generation);
    observe(); // Whoever opens it through the fence makes visible what was committed.
    assertThat(bench.rows()).isEqualTo(generation * ROWS);
  }

  private static void merge(Bench where, long generation) {
    RunUnit unit =
        where.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(generation, generation))));
    Object answer =
        where.reports.await(Object.class, event -> isReady(event, unit) || isReleased(event, unit));
    if (answer instanceof PreparationReady) {
      where.grant(unit);
      where.awaitReleased(unit);
    }
  }

  private static boolean isReady(Object event, RunUnit unit) {
    return event instanceof PreparationReady ready && ready.attempt().equals(unit.attempt());
  }

  private static boolean isReleased(Object event, RunUnit unit) {
    return event instanceof UnitReleased released && released.attempt().equals(unit.attempt());
  }

  /** What units came to that were not published. */
  private List<String> codes() {
    return Stream.concat(
            bench.reports.all(UnitFailed.class).stream().map(UnitFailed::code),
            bench.reports.all(PublishRefused.class).stream().map(PublishRefused::code))
        .toList();
  }

  /** Deals so with the requests for this table and its log that are counted so, from 1 on. */
  private void deal(IntPredicate which, Deed deed) {
    String ours = storage().key().replace("/table", "");
    asked.set(0);
    FRONT.deal(
        request ->
            request.target().contains(ours) && which.test(asked.incrementAndGet())
                ? deed
                : Deed.PASS);
  }
}
