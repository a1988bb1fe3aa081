package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Observe;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Publications that are refused, and what they leave. */
class RefusedPublishIT extends BenchTestCase {
  @Test
  void aMergeThatIsOrderedTwiceAddsItsRowsOnce() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit first = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    publish(first);
    long files = files("data").size();

    RunUnit second = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    publish(second);

    assertThat(bench.reports.await(PublishRefused.class).code()).isEqualTo("STALE_PREPARATION");
    assertThat(bench.rows()).isEqualTo(10);
    assertThat(files("data").size()).isEqualTo(files);
  }

  @Test
  void aStaleTurnKeepsTheFilesForTheNextOne() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit other = bench.order(Kind.OBSERVE, Mode.INSIDE, new Observe());
    bench.grant(other, 5);
    bench.awaitReleased(other);

    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    bench.grant(unit, 4);
    PublishRefused refused = bench.reports.await(PublishRefused.class);
    assertThat(refused.code()).isEqualTo("STALE_TURN");
    assertThat(bench.reports.all(HeadObserved.class)).last().returns(5L, HeadObserved::highestTurn);

    bench.grant(unit, 6);
    bench.awaitReleased(unit);
    assertThat(bench.reports.all(PreparationReady.class)).hasSize(1);
    assertThat(bench.rows()).isEqualTo(10);
  }

  @Test
  void aTurnThatIsLostWhilePublishingKeepsTheFilesForTheNextOne() throws Exception {
    AtomicBoolean preempted = new AtomicBoolean();
    reopen(
        (kind, step) -> {
          if (step == UnitStep.STAGED && preempted.compareAndSet(false, true)) {
            bench.preempt(7);
          }
        });
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    bench.grant(unit, 1);

    assertThat(bench.reports.await(PublishRefused.class))
        .returns("TURN_LOST", PublishRefused::code)
        .returns(1L, PublishRefused::turn);
    assertThat(bench.rows()).isZero();
    bench.grant(unit, 8);
    bench.awaitReleased(unit);

    assertThat(bench.rows()).isEqualTo(10);
    assertThat(bench.reports.all(UnitPublished.class)).hasSize(1);
    assertThat(bench.head().version()).isEqualTo(2);
  }

  @Test
  void anIndexWhoseSourcesWereRewrittenIsAConflictAndItsFilesGo() throws Exception {
    mergeSome(1, 3);
    RunUnit index = prepare(Kind.INDEX, index());
    RunUnit compact = bench.order(Kind.COMPACT, Mode.INSIDE, compact());
    publish(compact);

    long turn = bench.grant(index);
    bench.awaitReleased(index);

    assertThat(bench.reports.await(PublishRefused.class))
        .returns("CONFLICT", PublishRefused::code)
        .returns(turn, PublishRefused::turn);
    assertThat(files().keySet()).noneMatch(file -> file.startsWith("_indices"));
    assertThat(observed().indexes()).isEmpty();
  }

  /** Of each kind that writes files: what a refused attempt wrote goes, and nothing else. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"MERGE_WAL", "COMPACT", "INDEX"})
  void twentyRefusedPublishesInARowLeaveNothing(Kind kind) throws Exception {
    mergeSome(1, 2);
    SortedMap<String, Long> before = files();
    for (int i = 1; i <= 20; i++) {
      RunUnit unit =
          prepare(
              kind,
              switch (kind) {
                case COMPACT -> compact();
                case INDEX -> index();
                default -> merge(Map.of(A, range(1, 1)));
              });
      if (kind != Kind.MERGE_WAL) {
        // A merge of what is merged is refused as it is.
        spoilOneOf(unit, before);
      }
      publish(unit);
      assertThat(bench.reports.all(PublishRefused.class))
          .hasSize(i)
          .last()
          .returns("STALE_PREPARATION", PublishRefused::code);
      assertThat(files()).as("refusal %d", i).isEqualTo(before);
    }
  }

  private void spoilOneOf(RunUnit unit, SortedMap<String, Long> before) throws Exception {
    String written =
        files().keySet().stream()
            .filter(file -> !before.containsKey(file) && !file.startsWith("_prepared"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("nothing was written by " + unit));
    write(written, "spoiled");
  }
}
