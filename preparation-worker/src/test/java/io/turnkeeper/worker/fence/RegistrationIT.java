package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.Storages;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lance.Dataset;
import org.lance.WriteParams;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;

/** Which tables come under maintenance, and under which spelling of their place. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RegistrationIT extends FenceTrial {
  private static final TableId OTHER = new TableId("other");

  @Test
  void anEmptyTableIsCreatedAtVersionOne() throws Exception {
    assertThat(head().version()).isEqualTo(1);
    assertThat(head().uri()).isEqualTo(uri);
    assertThat(head().manifest().path()).isEqualTo(ManifestPaths.visible(1));
    try (Dataset dataset = table.open()) {
      assertThat(dataset.getSchema()).isEqualTo(SmallTable.SCHEMA);
    }
    assertThat(registered(create(TABLE, uri)).created()).isFalse();
  }

  @Test
  void aTableIsAdoptedAtItsNewestVersion() throws Exception {
    String place = existing("grown", false);
    SmallTable grown = new SmallTable(allocator, place);
    grown.commitAround(grown.append("early", 3));
    grown.commitAround(grown.append("late", 3));
    RegistrationOutcome.Registered outcome = registered(adopt(OTHER, place));
    assertThat(outcome.created()).isTrue();
    assertThat(outcome.unsafe()).isEmpty();
    assertThat(outcome.head().version()).isEqualTo(3);
  }

  @Test
  void everySpellingOfAPlaceIsTheSamePlace() throws Exception {
    assumeOnDisk();
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of(uri));
    Path above = Files.createSymbolicLink(directory.resolve("above"), directory);
    for (String spelling :
        new String[] {
          uri + "/",
          uri + "/../table",
          link.toString(),
          above.resolve("table").toString(),
          "file://" + uri
        }) {
      assertThat(registered(create(TABLE, spelling)).created()).as(spelling).isFalse();
      RegistrationOutcome.Refused refused = refused(adopt(OTHER, spelling));
      assertThat(refused.message()).as(spelling).contains("belong to no table, but it is flights");
    }
  }

  @Test
  void anIdIsNotMovedToAnotherPlace() throws Exception {
    String place = existing("elsewhere", false);
    assertThat(refused(adopt(TABLE, place)).message()).contains("it lies at " + uri);
  }

  @Test
  void whatIsNoTableIsRefused() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(refused(adopt(OTHER, empty.toString())).code()).isEqualTo(FailureCode.NO_SUCH_TABLE);
    assertThat(refused(adopt(OTHER, beside("a/b/c"))).code()).isEqualTo(FailureCode.NO_SUCH_TABLE);
    assertThat(authority().head(OTHER, soon())).isEmpty();
  }

  @Test
  void whatCannotBeNamedIsRefused() {
    assertThat(refused(create(TableId.DEFAULT, uri)).code()).isEqualTo(FailureCode.BAD_POLICY);
    assertThat(refused(adopt(OTHER, "gs://bucket/table")).code()).isEqualTo(FailureCode.BAD_POLICY);
    String decomposed =
        Normalizer.normalize(directory.resolve("é").toString(), Normalizer.Form.NFD);
    assertThat(refused(create(OTHER, decomposed)).message()).contains("NFC");
  }

  @Test
  void aTableThatIsThereInPiecesIsNotAdopted() throws Exception {
    assumeOnDisk();
    String place = existing(Normalizer.normalize("é", Normalizer.Form.NFD), false);
    assertThat(refused(adopt(OTHER, place)))
        .returns(FailureCode.BAD_POLICY, RegistrationOutcome.Refused::code)
        .matches(refused -> refused.message().startsWith("expected a path in NFC"));
    Path link = Files.createSymbolicLink(directory.resolve("e"), Path.of(place));
    assertThat(refused(adopt(OTHER, link.toString())).message()).contains("NFC");
    assertThat(authority().head(OTHER, soon())).isEmpty();
  }

  @Test
  void aTableWithStableRowIdsIsOnlyMerged() throws Exception {
    String place = existing("stable", true);
    assertThat(registered(adopt(OTHER, place)).unsafe()).contains("stable row ids");
  }

  @Test
  void aTableWithADeferredRemapIsOnlyMerged() throws Exception {
    String place = existing("deferred", false);
    SmallTable deferred = new SmallTable(allocator, place);
    deferred.commitAround(deferred.append("early", 3));
    deferred.commitAround(deferred.append("late", 3));
    CompactionOptions options = CompactionOptions.builder().withDeferIndexRemap(true).build();
    try (Dataset dataset = deferred.open()) {
      List<RewriteResult> rewritten = new ArrayList<>();
      for (CompactionTask task : Compaction.planCompaction(dataset, options).getCompactionTasks()) {
        rewritten.add(task.execute(dataset));
      }
      Compaction.commitCompaction(dataset, rewritten, options);
    }
    assertThat(registered(adopt(OTHER, place)).unsafe()).contains("deferred index remap");
  }

  @Test
  void aPlaceWithUnusualCharactersWorks() throws Exception {
    assumeOnDisk();
    for (String name : new String[] {"with space", "Zürich", "a%20b", "a#b?c", "日本", "a+b&c=d"}) {
      TableId id = new TableId(name);
      String place = directory.toRealPath().resolve(name).toString();
      registered(create(id, place));
      SmallTable there = new SmallTable(allocator, place);
      Attempt attempt = new Attempt(new UnitId(id, 1), 1, new ExecutorId("worker"), 5);
      HeldTurn held = ((TakeOutcome.Taken) authority().take(attempt, 1, TTL, soon())).held();
      OpenOutcome<FencedTable> outcome =
          new Fence(authority()).open(held, place, allocator, soon());
      assertThat(outcome).as(name).isInstanceOf(OpenOutcome.Opened.class);
      try (FencedTable fenced = ((OpenOutcome.Opened<FencedTable>) outcome).table()) {
        assertPublished(fenced.commit(1, there.append("me", 2), SmallTable.noMarks(), true), 2);
      }
      assertThat(there.rowsOf("me")).as(name).isEqualTo(2);
    }
  }

  /** What lies in a bucket has one spelling, of plain characters. */
  private void assumeOnDisk() {
    assumeTrue(Storages.isLocal(uri));
  }

  private String existing(String name, boolean stableRowIds) throws Exception {
    String place = beside(name);
    Dataset.write()
        .allocator(allocator)
        .schema(SmallTable.SCHEMA)
        .uri(place)
        .storageOptions(Storage.at(place).lanceOptions())
        .mode(WriteParams.WriteMode.CREATE)
        .enableStableRowIds(stableRowIds)
        .execute()
        .close();
    return place;
  }

  private RegistrationOutcome adopt(TableId id, String place) {
    return new Registration(authority(), allocator).adopt(id, place, soon());
  }

  private RegistrationOutcome create(TableId id, String place) {
    return new Registration(authority(), allocator).create(id, place, SmallTable.SCHEMA, soon());
  }

  private static RegistrationOutcome.Registered registered(RegistrationOutcome outcome) {
    assertThat(outcome).isInstanceOf(RegistrationOutcome.Registered.class);
    return (RegistrationOutcome.Registered) outcome;
  }

  private static RegistrationOutcome.Refused refused(RegistrationOutcome outcome) {
    assertThat(outcome).isInstanceOf(RegistrationOutcome.Refused.class);
    return (RegistrationOutcome.Refused) outcome;
  }
}
