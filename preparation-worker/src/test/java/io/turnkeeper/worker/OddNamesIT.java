package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.WorkSpec.Repair;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.wal.Generations;
import io.turnkeeper.worker.work.TableObservation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table and its log may have any name: the whole cycle works, or the name is refused once. */
class OddNamesIT extends BenchTestCase {
  private static final String ALL = "a b%20c%zz#d+e?f&g=h;i ü 東京 'j' [k] {l} ~m";

  @ParameterizedTest
  @ValueSource(strings = {"plain", "uri"})
  void theWholeCycleWorks(String spelling) throws Exception {
    bench.close();
    Path place = Files.createDirectory(dir.resolve(ALL));
    bench =
        new Bench(
            etcd,
            children,
            new TableId(ALL),
            spelling.equals("uri") ? place.toUri().toString() : place + "/",
            StepListener.NONE,
            INDEX);
    assertThat(bench.registered.uri()).isEqualTo(place.resolve("table").toString());

    mergeSome(1, 3);
    publish(Kind.INDEX, index());
    mergeSome(4, 4);
    assertThat(observe().indexes())
        .extracting(IndexObserved::uncoveredFragments)
        .containsExactly(1L);
    publish(Kind.COMPACT, compact());
    assertThat(observe().rows()).isEqualTo(40);
    assertThat(bench.rows("id = 'k15'")).isEqualTo(1);
    mergeSome(5, 5);
    Files.delete(root().resolve("data").resolve(bench.newestDataFile()));
    assertThat(observe().missingFiles()).isEqualTo(1);
    assertThat(published(inside(Kind.REPAIR, new Repair())).rows()).isEqualTo(10);
    assertThat(published(retire(1)).files()).isPositive();
    assertThat(observe().missingFiles()).isZero();
    assertThat(bench.rows("n < 1000")).isEqualTo(40);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    assertThat(files("_versions")).filteredOn(name -> name.contains("manifest")).hasSize(1);
  }

  @Test
  void aTableWhoseLettersAreInPiecesIsRefusedOnce() {
    String pieces = Normalizer.normalize("ü", Normalizer.Form.NFD);
    assertThat(register(dir.resolve(pieces).toString(), dir.resolve("wal").toString()))
        .asInstanceOf(type(RegistrationOutcome.Refused.class))
        .returns(FailureCode.BAD_POLICY, RegistrationOutcome.Refused::code)
        .matches(refused -> refused.message().startsWith("expected a path in NFC"));
    assertThat(dir.resolve(pieces)).doesNotExist();
  }

  @Test
  void aLogWhoseLettersAreInPiecesIsRefusedOnce() {
    String pieces = Normalizer.normalize("ü", Normalizer.Form.NFD);
    assertThat(register(dir.resolve("new").toString(), dir.resolve(pieces).toString()))
        .asInstanceOf(type(RegistrationOutcome.Refused.class))
        .returns(FailureCode.BAD_POLICY, RegistrationOutcome.Refused::code)
        .matches(refused -> refused.message().startsWith("expected a path in NFC"));
    assertThat(dir.resolve("new")).doesNotExist();
  }

  private RegistrationOutcome register(String uri, String walUri) {
    return new TableRegistrar(
            bench.authority, bench.allocator, bench.reports, new TableObservation(1, 1))
        .register(
            new TableRequest(
                new TableId("other"),
                uri,
                walUri,
                Generations.SCHEMA,
                List.of(),
                MergeMode.APPEND,
                List.of()),
            Deadline.after(Duration.ofSeconds(20)));
  }
}
