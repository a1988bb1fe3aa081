package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
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
    write("_fence/2-00000000-0000-0000-0000-000000000000.pending", "of a dead holder");
    String later = "6-00000000-0000-0000-0000-000000000000.pending";
    write("_fence/" + later, "of a later holder");
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
            bench.head().manifest().path().substring("_fence/".length()), later);
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

  /** A copy that the store had begun may come after its preparation was cleaned up. */
  @Test
  void whatNoVersionAndNoPreparationNamesGoesAfterAWeek() throws Exception {
    String index = "_indices/00000000-0000-0000-0000-000000000000/page_data.lance";
    for (String late : List.of("data/late.lance", index)) {
      write(late, "of nobody");
      Files.setLastModifiedTime(
          fileOf(late), FileTime.from(Instant.now().minus(8, ChronoUnit.DAYS)));
    }
    write("data/young.lance", "of nobody yet");

    retire(1);

    assertThat(files("data")).contains("young.lance").doesNotContain("late.lance");
    assertThat(files("_indices")).isEmpty();
  }

  /** Where one of the table's files is kept. */
  Path fileOf(String name) {
    return root().resolve(name);
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

    assertThat(files(prepared(over))).isEmpty();
    assertThat(files("data")).doesNotContainAnyElementsOf(left).containsAll(before);
    assertThat(files()).containsKey(descriptor(live));
    publish(live);
    assertThat(published(live).versions()).isNotEmpty();
    assertThat(bench.rows()).isEqualTo(30);
  }

  @Test
  void aDescriptionThatCannotBeReadStaysAndTheRestGoes() throws Exception {
    RunUnit damaged = prepare(Kind.COMPACT, compact());
    write(descriptor(damaged), "not json");
    write("_prepared/1-1-1/descriptor.json", "{}");
    write("_prepared/2-1-1/table/data/1.lance", "undescribed");
    long data = files("data").size();

    RunUnit retire = retire(1, damaged.attempt().unit().sequence() + 1);

    assertThat(published(retire).files()).isPositive();
    assertThat(storage().content(descriptor(damaged))).asString().isEqualTo("not json");
    assertThat(files("_prepared"))
        .contains("1-1-1/descriptor.json")
        .noneMatch(file -> file.startsWith("2-1-1/"));
    assertThat(files("data")).hasSize((int) data);
    assertThat(bench.open().checkoutVersion(1).countRows()).as("it may be read").isZero();
  }

  @Test
  void whatAnAbandonedUnitGaveTheTableStays() throws Exception {
    RunUnit unit = prepare(Kind.COMPACT, compact());
    byte[] kept = storage().content(descriptor(unit));
    publish(unit);
    storage().createIfAbsent(descriptor(unit), kept);

    retire(1, unit.attempt().unit().sequence() + 1);

    assertThat(files("_prepared")).isEmpty();
    assertThat(files("data")).as("the compacted file").hasSize(1);
  }

  private List<String> generations() throws Exception {
    return Storage.at(bench.registered.walUri()).list(A.value() + "/").files().stream()
        .map(StoredFile::baseName)
        .toList();
  }
}
