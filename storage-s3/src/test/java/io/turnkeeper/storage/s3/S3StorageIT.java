package io.turnkeeper.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.Draft;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageContract;
import io.turnkeeper.events.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3StorageIT extends StorageContract {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path dir;

  @SuppressWarnings("NullAway.Init")
  private static TestStore store;

  @SuppressWarnings("NullAway.Init")
  private static S3Access access;

  private final Storage storage = access.at(TestStore.newRoot());

  @BeforeAll
  static void start() throws IOException {
    store = TestStore.start(dir);
    access = S3Access.with(S3Options.of(store.options(), new TreeMap<>()));
  }

  @AfterAll
  static void stop() throws IOException {
    access.close();
    store.close();
  }

  @Override
  protected Storage storage() {
    return storage;
  }

  @Test
  void ofThirtyTwoWhoWantOneNameOneGetsItEachTime() throws Exception {
    int writers = 32;
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      for (int round = 0; round < 5; round++) {
        String name = "wanted/" + round;
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Boolean>> outcomes = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
          byte[] content = ("writer " + i).getBytes(UTF_8);
          outcomes.add(
              pool.submit(
                  () -> {
                    go.await();
                    return storage.createIfAbsent(name, content);
                  }));
        }
        go.countDown();
        List<String> winners = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
          if (outcomes.get(i).get()) {
            winners.add("writer " + i);
          }
        }
        assertThat(winners).containsExactly(new String(storage.content(name), UTF_8));
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void writersOfTheSameContentAreToldApart() throws IOException {
    byte[] content = "same".getBytes(UTF_8);
    assertThat(storage.createIfAbsent("name", content)).isTrue();
    assertThat(storage.createIfAbsent("name", content)).isFalse();
  }

  @Test
  void aLargeObjectIsWrittenAndReadInParts() throws IOException {
    byte[] content = new byte[3 * ObjectChannel.MAX_BYTES + 12_345];
    new Random(1).nextBytes(content);
    try (Draft draft = storage.draft("large")) {
      draft.channel().write(ByteBuffer.wrap(content));
      assertThat(draft.publish()).isTrue();
    }
    assertThat(Arrays.equals(storage.content("large"), content)).isTrue();
    assertThat(storage.copyIfAbsent("large", "copy")).isTrue();
    assertThat(Arrays.equals(storage.content("copy"), content)).isTrue();
    try (SeekableByteChannel channel = storage.read("large")) {
      ByteBuffer end = ByteBuffer.allocate(100);
      channel.position(content.length - 50).read(end);
      assertThat(Arrays.copyOf(end.array(), 50))
          .isEqualTo(Arrays.copyOfRange(content, content.length - 50, content.length));
    }
  }

  @Test
  void anEmptyObjectIsThere() throws IOException {
    assertThat(storage.createIfAbsent("empty", new byte[0])).isTrue();
    assertThat(storage.stat("empty").orElseThrow().bytes()).isZero();
    assertThat(storage.content("empty")).isEmpty();
  }

  @Test
  void moreAreDeletedThanOneRequestTakes() throws IOException {
    storage.createIfAbsent("many/1", new byte[0]);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 2_001; i++) {
      names.add("many/none-" + i);
    }
    names.add("many/1");
    storage.delete(names);
    assertThat(storage.list("many/").files()).isEmpty();
  }

  @Test
  void aBucketThatIsNotThereIsNotAnEmptyStorage() {
    Storage nowhere = access.at("s3://no-such-bucket/table");
    assertFails(() -> nowhere.list(""));
    assertFails(() -> nowhere.stat("file"));
    assertFails(() -> nowhere.read("file"));
    assertFails(() -> nowhere.createIfAbsent("file", new byte[1]));
  }

  private static void assertFails(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StorageException.class)
        .extracting("code")
        .isEqualTo(FailureCode.NO_SUCH_TABLE);
  }
}
