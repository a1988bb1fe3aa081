package io.turnkeeper.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageException;
import io.turnkeeper.events.wal.SealOutcome;
import io.turnkeeper.events.wal.WalMark;
import io.turnkeeper.events.wal.WalScan;
import io.turnkeeper.events.wal.WalWriter;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.Front.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A generation becomes one object by one put, and is announced when that is certain. */
class WalOnS3IT {
  private static final TableId TABLE = new TableId("flights");
  private static final ShardId SHARD = new ShardId("a");

  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path dir;

  @SuppressWarnings("NullAway.Init")
  private static TestStore store;

  @SuppressWarnings("NullAway.Init")
  private static Front front;

  @SuppressWarnings("NullAway.Init")
  private static S3Access access;

  private final Storage log = access.at(TestStore.newRoot());
  private final List<WalSealed> announced = new ArrayList<>();
  private final BufferAllocator allocator = new RootAllocator();

  @BeforeAll
  static void start() throws IOException {
    store = TestStore.start(dir);
    front = new Front(store.endpoint());
    SortedMap<String, String> options = store.options(front.endpoint());
    options.put(S3Options.TIMEOUT, "2000");
    access = S3Access.with(S3Options.of(options, new TreeMap<>()));
  }

  @AfterAll
  static void stop() throws IOException {
    access.close();
    front.close();
    store.close();
  }

  @AfterEach
  void everyBufferIsReleased() {
    front.deal(request -> Deed.PASS);
    allocator.close();
  }

  @Test
  void aSealIsOnePut() throws IOException {
    try (WalWriter writer = open()) {
      append(writer, 1, 2, 3);
      front.deal(request -> Deed.PASS);
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Sealed.class);
      assertThat(front.requests())
          .filteredOn(request -> !request.method().equals("GET"))
          .extracting(Request::method)
          .containsExactly("PUT");
      append(writer, 4);
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Sealed.class);
    }
    WalMark mark = mark();
    assertThat(mark.sealedThrough()).isEqualTo(2);
    assertThat(mark.rowsThrough()).isEqualTo(4);
    assertThat(announced).hasSize(2);
  }

  @Test
  void aLostAnswerSealsOnce() throws IOException {
    AtomicInteger puts = new AtomicInteger();
    try (WalWriter writer = open()) {
      append(writer, 1, 2, 3);
      front.deal(
          request ->
              request.method().equals("PUT") && puts.getAndIncrement() == 0
                  ? Deed.CUT_AFTER
                  : Deed.PASS);
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Sealed.class);
    }
    assertThat(mark().sealedThrough()).isEqualTo(1);
    assertThat(announced).hasSize(1);
  }

  @Test
  void whatIsUncertainIsNotAnnouncedAndSealedAgainWithoutHarm() throws IOException {
    try (WalWriter writer = open()) {
      append(writer, 1, 2, 3);
      front.deal(
          request ->
              switch (request.method()) {
                case "PUT" -> Deed.CUT_AFTER;
                case "HEAD" -> Deed.CUT_BEFORE;
                default -> Deed.PASS;
              });
      assertThatThrownBy(writer::seal).isInstanceOf(IOException.class);
      assertThat(announced).isEmpty();
      front.deal(request -> Deed.PASS);
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Sealed.class);
      assertThat(announced).hasSize(1);
    }
    assertThat(mark().rowsThrough()).isEqualTo(3);
  }

  @Test
  void aWriterWhoseGenerationIsTakenIsFenced() throws IOException {
    try (WalWriter zombie = open();
        WalWriter successor = open()) {
      append(successor, 10);
      assertThat(successor.seal()).isInstanceOf(SealOutcome.Sealed.class);
      append(zombie, 1, 2, 3);
      assertThat(zombie.seal()).isInstanceOf(SealOutcome.Fenced.class);
    }
    assertThat(mark().rowsThrough()).isEqualTo(1);
    assertThat(announced).hasSize(1);
  }

  @Test
  void aStoreThatDoesNotAnswerIsNotTakenForAFileThatIsNotArrow() throws IOException {
    try (WalWriter writer = open()) {
      append(writer, 1, 2, 3);
      writer.seal();
    }
    front.deal(
        request ->
            request.method().equals("GET") && request.target().contains(".arrow")
                ? Deed.error(403, "AccessDenied", "")
                : Deed.PASS);
    assertThatThrownBy(() -> WalScan.shards(log, Map.of())).isInstanceOf(StorageException.class);
    assertThatThrownBy(this::open).isInstanceOf(StorageException.class);
  }

  private WalMark mark() throws IOException {
    return Objects.requireNonNull(WalScan.shards(log, Map.of()).get(SHARD));
  }

  private WalWriter open() throws IOException {
    return WalWriter.open(TABLE, 1, log, SHARD, this::announce, Clock.systemUTC());
  }

  private CompletableFuture<RecordMetadata> announce(WalSealed event) {
    announced.add(event);
    return CompletableFuture.completedFuture(
        new RecordMetadata(new TopicPartition("demand", 0), 0, 0, 0, 0, 0));
  }

  private void append(WalWriter writer, long... ids) throws IOException {
    BigIntVector vector = new BigIntVector("id", allocator);
    vector.allocateNew(ids.length);
    for (int i = 0; i < ids.length; i++) {
      vector.set(i, ids[i]);
    }
    vector.setValueCount(ids.length);
    try (VectorSchemaRoot batch = VectorSchemaRoot.of(vector)) {
      writer.append(batch);
    }
  }
}
