package io.turnkeeper.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.Moved;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageContract;
import io.turnkeeper.storage.s3.Front.Deed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever goes through the front finds the same store, and is counted. */
class SigningFrontIT extends StorageContract {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path dir;

  @SuppressWarnings("NullAway.Init")
  private static TestStore store;

  @SuppressWarnings("NullAway.Init")
  private static Front faults;

  @SuppressWarnings("NullAway.Init")
  private static S3Access counted;

  @SuppressWarnings("NullAway.Init")
  private static S3Access through;

  private final Storage storage = through.at(TestStore.newRoot());

  @BeforeAll
  static void start() throws IOException {
    store = TestStore.start(dir);
    faults = new Front(store.endpoint());
    SortedMap<String, String> options = store.options(faults.endpoint());
    options.put(S3Options.TIMEOUT, "1000");
    counted = S3Access.counted(S3Options.of(options, new TreeMap<>()));
    through = S3Access.with(S3Options.of(asLance(counted.lanceOptions()), new TreeMap<>()));
  }

  /** A client that knows what Lance is told. */
  private static SortedMap<String, String> asLance(Map<String, String> lance) throws IOException {
    Path credentials = dir.resolve("of-the-front");
    Files.writeString(
        credentials,
        "[default]\naws_access_key_id=%s\naws_secret_access_key=%s\n"
            .formatted(lance.get("aws_access_key_id"), lance.get("aws_secret_access_key")));
    return new TreeMap<>(
        Map.of(
            S3Options.ENDPOINT,
            String.valueOf(lance.get("aws_endpoint")),
            S3Options.ALLOW_HTTP,
            "true",
            S3Options.TIMEOUT,
            "5000",
            S3Options.CREDENTIALS,
            "file:" + credentials));
  }

  @AfterAll
  static void stop() throws IOException {
    through.close();
    counted.close();
    faults.close();
    store.close();
  }

  @AfterEach
  void heal() {
    faults.deal(request -> Deed.PASS);
  }

  @Override
  protected Storage storage() {
    return storage;
  }

  private static Moved moved() {
    return counted.moved().orElseThrow();
  }

  /** A body is counted when all of it has come through, which its reader may notice first. */
  private static void awaitRead(long bytes) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (moved().read() < bytes && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertThat(moved().read()).isEqualTo(bytes);
  }

  @Test
  void whatIsCompleteIsCountedAndListingsAreNot() throws IOException {
    Moved before = moved();
    storage.createIfAbsent("file", new byte[100_000]);
    assertThat(moved().minus(before)).isEqualTo(new Moved(0, 100_000));
    storage.content("file");
    long through = before.read() + 100_000;
    awaitRead(through);
    before = moved();
    storage.list("");
    storage.list("file/");
    assertThat(moved()).isEqualTo(before);
  }

  @Test
  void whatStallsFailsOrComesInPartIsNotCounted() throws IOException {
    storage.createIfAbsent("file", new byte[100_000]);
    Moved before = moved();
    for (Deed deed :
        new Deed[] {Deed.STALL, Deed.HALF_BODY, Deed.error(500, "InternalError", "again")}) {
      faults.deal(request -> deed);
      assertThatThrownBy(() -> storage.content("file")).isInstanceOf(IOException.class);
    }
    faults.deal(request -> Deed.error(500, "InternalError", "again"));
    assertThatThrownBy(() -> storage.createIfAbsent("other", new byte[100_000]))
        .isInstanceOf(IOException.class);
    assertThat(moved()).isEqualTo(before);
  }

  @Test
  void whoDoesNotKnowTheKeyIsRefused() throws IOException {
    SortedMap<String, String> others =
        store.options(URI.create(String.valueOf(counted.lanceOptions().get("aws_endpoint"))));
    try (S3Access stranger = S3Access.with(S3Options.of(others, new TreeMap<>()))) {
      assertThatThrownBy(() -> stranger.at(TestStore.newRoot()).list(""))
          .extracting("code")
          .isEqualTo(FailureCode.PERMISSION_DENIED);
    }
  }

  @Test
  void credentialsThatChangeCountFromTheNextRequestOn() throws IOException {
    storage.createIfAbsent("file", "content".getBytes(UTF_8));
    Path file = dir.resolve("credentials");
    String good = Files.readString(file);
    try {
      Files.writeString(file, good.replaceFirst("secret_access_key = .", "secret_access_key = _"));
      assertThatThrownBy(() -> storage.content("file"))
          .extracting("code")
          .isEqualTo(FailureCode.PERMISSION_DENIED);
    } finally {
      Files.writeString(file, good);
    }
    assertThat(storage.content("file")).asString().isEqualTo("content");
  }
}
