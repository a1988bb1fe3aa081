package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a retirement removes of a table with a history, and what it must not. */
class RetireIT extends BenchTestCase {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Versions 2 to 4 each add a fragment; generation 4 is not merged. */
  @BeforeEach
  void threeMerges() throws Exception {
    mergeSome(1, 3);
    bench.wal.seal(A, 4, 40, 10);
  }

  @Test
  void whatNobodyNeedsGoesAndTheRestStays() throws Exception {
    publish(Kind.COMPACT, compact());
    Path garbage = root().resolve("_fence/2-00000000-0000-0000-0000-000000000000.pending");
    Files.writeString(garbage, "of a dead holder");
    Path later = root().resolve("_fence/6-00000000-0000-0000-0000-000000000000.pending");
    Files.writeString(later, "of a later holder");
    assertThat(files("data")).hasSize(4);
    assertThat(observed().garbageBytes()).isPositive();

    RunUnit unit = retire(1);

    assertThat(published(unit).files()).isPositive();
    assertThat(published(unit).versions()).isEmpty();
    assertThat(files("data")).hasSize(1);
    assertThat(files("_versions"))
        .filteredOn(name -> name.contains("manifest"))
        .containsExactly("18446744073709551610.manifest");
    assertThat(files("_fence"))
        .containsExactlyInAnyOrder(
            Path.of(bench.head().manifest().path()).getFileName().toString(),
            later.getFileName().toString());
    assertThat(generations()).containsExactly("00000000000000000004.arrow");
    assertThat(bench.rows()).isEqualTo(30);
    assertThat(observed().garbageBytes()).isZero();
    assertThat(bench.authority.manifest(bench.table, 3, Deadline.after(PATIENCE))).isEmpty();
    assertThat(bench.authority.manifest(bench.table, 5, Deadline.after(PATIENCE))).isPresent();
    mergeSome(4, 4);
    assertThat(bench.rows()).isEqualTo(40);
  }

  @Test
  void asManyVersionsStayAsThePolicySays() throws Exception {
    retire(2);

    try (var table = bench.open()) {
      assertThat(table.listVersions()).extracting(version -> version.getId()).contains(3L, 4L);
      assertThat(table.listVersions()).hasSize(2);
    }
  }

  @Test
  void aTaggedVersionStays() throws Exception {
    try (var table = bench.open()) {
      table.tags().create("keep", 2);
    }

    retire(1);

    try (var table = bench.open()) {
      assertThat(table.checkoutVersion(2).countRows()).isEqualTo(10);
    }
  }

  @Test
  void theNewestGenerationStaysSinceItNamesItsWriter() throws Exception {
    mergeSome(4, 4);

    retire(1);

    assertThat(generations()).containsExactly("00000000000000000004.arrow");
  }

  @Test
  void twiceInARowIsANoOp() throws Exception {
    retire(1);
    RunUnit again = retire(1);

    assertThat(bench.reports.await(UnitNoOp.class))
        .returns(again.attempt(), UnitNoOp::attempt)
        .returns(4L, UnitNoOp::version);
    assertThat(bench.head().version()).isEqualTo(4);
  }

  @Test
  void aLivePreparationSurvivesAndPublishes() throws Exception {
    RunUnit compact = prepare(Kind.COMPACT, compact());
    mergeSome(4, 4);

    retire(1);

    assertThat(bench.open().checkoutVersion(4).countRows()).isEqualTo(30);
    publish(compact);
    assertThat(published(compact).versions()).isNotEmpty();
    assertThat(bench.rows()).isEqualTo(40);
    retire(1);
    assertThat(files("data")).hasSize(2);
  }

  @Test
  void whatIsLeftOfAUnitThatIsOverGoesAndALivePreparationIsPublished() throws Exception {
    List<String> before = files("data");
    RunUnit over = prepare(Kind.COMPACT, compact());
    List<String> left = new ArrayList<>(files("data"));
    left.removeAll(before);
    assertThat(left).hasSize(1);
    RunUnit live = prepare(Kind.COMPACT, compact());

    retire(1, live.attempt().unit().sequence());

    assertThat(prepared(over)).doesNotExist();
    assertThat(files("data")).doesNotContainAnyElementsOf(left).containsAll(before);
    assertThat(prepared(live)).isDirectory();
    publish(live);
    assertThat(published(live).versions()).isNotEmpty();
    assertThat(bench.rows()).isEqualTo(30);
  }

  @Test
  void aDescriptionThatCannotBeReadStaysAndTheRestGoes() throws Exception {
    RunUnit damaged = prepare(Kind.COMPACT, compact());
    Files.writeString(descriptor(damaged), "not json");
    Path empty = Files.createDirectories(root().resolve("_prepared/1-1-1"));
    Files.writeString(empty.resolve("descriptor.json"), "{}");
    Path undescribed = Files.createDirectories(root().resolve("_prepared/2-1-1"));
    long data = files("data").size();

    RunUnit retire = retire(1, damaged.attempt().unit().sequence() + 1);

    assertThat(published(retire).files()).isPositive();
    assertThat(descriptor(damaged)).hasContent("not json");
    assertThat(empty).isDirectory();
    assertThat(undescribed).doesNotExist();
    assertThat(files("data")).hasSize((int) data);
    assertThat(bench.open().checkoutVersion(1).countRows()).as("it may be read").isZero();
  }

  @Test
  void whatAnAbandonedUnitGaveTheTableStays() throws Exception {
    RunUnit unit = prepare(Kind.COMPACT, compact());
    byte[] kept = Files.readAllBytes(descriptor(unit));
    publish(unit);
    Files.createDirectory(prepared(unit));
    Files.write(descriptor(unit), kept);

    retire(1, unit.attempt().unit().sequence() + 1);

    assertThat(prepared(unit)).doesNotExist();
    assertThat(files("data")).as("the compacted file").hasSize(1);
  }

  private List<String> generations() throws Exception {
    try (Stream<Path> files = Files.list(bench.wal.path(A, 1).resolveSibling(""))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
