package io.turnkeeper.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Somebody else writes below the prefix of the authority. */
class ForeignKeysIT extends BenchTestCase {
  private static final String GARBAGE = "not JSON";

  @Test
  void whatLiesBesideTheKeysOfATableDoesNotTouchIt() throws Exception {
    String id = encoded(bench.table.value());
    for (String key :
        List.of(
            "",
            "x",
            "heads/",
            "heads/x",
            "heads/" + id + "/x",
            "turns/x",
            "turns/" + id + "x",
            "manifests/" + id,
            "manifests/" + id + "/",
            "manifests/" + id + "/x",
            "manifests/" + id + "/9999999999999999999",
            "locations/x",
            "executors/x")) {
      put(key, GARBAGE);
    }
    mergeSome(1, 3);
    publish(Kind.INDEX, index());
    publish(Kind.COMPACT, compact());
    retire(1);

    assertThat(bench.rows("n >= 0")).isEqualTo(30);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    assertThat(get("manifests/" + id + "/x")).isEqualTo(GARBAGE);
  }

  @Test
  void aHeadThatCannotBeReadIsSaidAndNothingIsCommittedOrReplaced() throws Exception {
    mergeSome(1, 1);
    bench.wal.seal(A, 2, 20, 10);
    String key = "heads/" + encoded(bench.table.value());
    String head = get(key);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(2, 2))));
    put(key, GARBAGE);

    publish(unit);
    UnitFailed failed = bench.reports.await(UnitFailed.class);
    assertThat(failed.message()).contains(GARBAGE);
    assertThat(failed.code()).isEqualTo(FailureCode.UNKNOWN.name());
    assertThat(get(key)).isEqualTo(GARBAGE);
    assertThat(bench.rows("n >= 0")).isEqualTo(10);

    put(key, head);
    publish(Kind.MERGE_WAL, merge(Map.of(A, range(2, 2))));
    assertThat(bench.rows("n >= 0")).isEqualTo(20);
  }

  private static String encoded(String table) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(table.getBytes(UTF_8));
  }

  private void put(String key, String value) throws Exception {
    try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
      client.getKVClient().put(bytes(bench.prefix + key), bytes(value)).get(10, TimeUnit.SECONDS);
    }
  }

  private String get(String key) throws Exception {
    try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
      return client
          .getKVClient()
          .get(bytes(bench.prefix + key))
          .get(10, TimeUnit.SECONDS)
          .getKvs()
          .get(0)
          .getValue()
          .toString();
    }
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }
}
