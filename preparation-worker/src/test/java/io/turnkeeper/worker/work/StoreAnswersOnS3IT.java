package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.TestStore;
import io.turnkeeper.worker.wal.Generations;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a store answers to Lance, whose only word for it is a text. The table's key and the ids of
 * the answers are made of digits that mean something else.
 */
@EnabledIfSystemProperty(named = "storage", matches = "all")
class StoreAnswersOnS3IT extends LanceTestCase {
  private static final Front FRONT = TestStore.ofThisProcess();

  @Override
  String place() {
    return TestStore.newRoot() + "/403-404-503";
  }

  @AfterEach
  void heal() {
    FRONT.deal(request -> Deed.PASS);
  }

  @ParameterizedTest
  @CsvSource({
    "403, AccessDenied,          PERMISSION_DENIED",
    "403, SomethingNew,          PERMISSION_DENIED",
    "403, RequestTimeTooSkewed,  IO",
    "400, ExpiredToken,          IO",
    "404, NoSuchBucket,          NO_SUCH_TABLE",
    "500, InternalError,         IO",
    "404, NoSuchKey,             MISSING_FILE"
  })
  void anAnswerHasItsCodeAndLeavesOtherTablesAndNothingBehind(
      int status, String answer, FailureCode code) throws Exception {
    table.append(0, 10, 3);
    LanceTable other = new LanceTable(dir, allocator, Generations.SCHEMA, false);
    FRONT.deal(
        request ->
            request.target().contains("/403-404-503/table/data/") && request.method().equals("GET")
                ? Deed.error(status, answer, "404, not 503, 403 or AccessDenied")
                : Deed.PASS);

    assertThatThrownBy(() -> compact(table))
        .asInstanceOf(type(WorkFailedException.class))
        .returns(code, WorkFailedException::code);

    other.append(0, 10, 3);
    assertThat(compact(other)).isInstanceOf(Preparation.Ready.class);
    FRONT.deal(request -> Deed.PASS);
    assertThat(table.publish(ready(new CompactWork(), Kind.COMPACT, spec()))).isEmpty();
    assertThat(table.rows()).isEqualTo(30);
  }

  private Preparation compact(LanceTable which) throws Exception {
    return StagedWork.prepare(
            new CompactWork(), which.unit(Kind.COMPACT, spec()), allocator, progress)
        .preparation();
  }

  private static Compact spec() {
    return new Compact(1_000, 1 << 30, 100, List.of());
  }
}
