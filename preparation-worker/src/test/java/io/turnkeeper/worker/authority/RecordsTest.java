package io.turnkeeper.worker.authority;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.Location;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.worker.authority.Records.StoredHead;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Pins the values in etcd: a later version must read what an earlier one wrote. */
class RecordsTest {
  private static final String DIGEST = "ab".repeat(32);
  private static final Manifest MANIFEST = new Manifest("_fence/7-x.pending", 812, DIGEST);
  private static final Head HEAD =
      new Head(
          2,
          "/data/flights",
          7,
          31,
          12,
          3,
          MANIFEST,
          new TreeMap<>(Map.of(new ShardId("b"), 9L, new ShardId("a"), 4L)),
          33);
  private static final String HEAD_JSON =
      "{\"tableIncarnation\":2,\"uri\":\"/data/flights\",\"version\":7,\"turn\":31,\"unit\":12,"
          + "\"attempt\":3,\"manifest\":{\"path\":\"_fence/7-x.pending\",\"sizeBytes\":812,"
          + "\"sha256\":\""
          + DIGEST
          + "\"},\"mergedThrough\":{\"a\":4,\"b\":9},\"highestTurn\":33}";

  @Test
  void aHeadHasOneForm() {
    assertThat(Records.head(new StoredHead(HEAD, false))).hasToString(HEAD_JSON);
    assertThat(Records.head(bytes(HEAD_JSON))).isEqualTo(new StoredHead(HEAD, false));
  }

  @Test
  void aTombstoneIsAHeadThatSaysSo() {
    String json = HEAD_JSON.substring(0, HEAD_JSON.length() - 1) + ",\"dropped\":true}";
    assertThat(Records.head(new StoredHead(HEAD, true))).hasToString(json);
    assertThat(Records.head(bytes(json))).isEqualTo(new StoredHead(HEAD, true));
  }

  @Test
  void fieldsOfALaterVersionAreNoFault() {
    String json = HEAD_JSON.replace("{\"tableIncarnation\"", "{\"new\":1,\"tableIncarnation\"");
    assertThat(Records.head(bytes(json)).head()).isEqualTo(HEAD);
  }

  @Test
  void theOtherRecordsHaveOneFormToo() {
    Attempt attempt =
        new Attempt(new UnitId(new TableId("flights"), 12), 3, new ExecutorId("w1"), 55);
    assertThat(Records.turn(attempt, 31))
        .hasToString(
            "{\"turn\":31,\"unit\":12,\"attempt\":3,\"executor\":\"w1\",\"incarnation\":55}");
    assertThat(Records.manifest(MANIFEST, 31))
        .hasToString(
            "{\"path\":\"_fence/7-x.pending\",\"sizeBytes\":812,\"sha256\":\""
                + DIGEST
                + "\",\"turn\":31}");
    assertThat(Records.manifest(Records.manifest(MANIFEST, 31))).isEqualTo(MANIFEST);
    Location location = new Location(new TableId("flights"), 2);
    ByteSequence stored = Records.location(location, "/data/flights");
    assertThat(stored)
        .hasToString("{\"table\":\"flights\",\"tableIncarnation\":2,\"uri\":\"/data/flights\"}");
    assertThat(Records.location(stored)).isEqualTo(location);
  }

  @Test
  void whatIsNoHeadIsAFault() {
    assertThatThrownBy(() -> Records.head(bytes("{"))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Records.head(bytes(HEAD_JSON.replace("7,\"turn\"", "\"7\",\"turn\""))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("version");
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, UTF_8);
  }
}
