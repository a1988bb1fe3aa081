package io.turnkeeper.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.Draft;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageExamination;
import io.turnkeeper.events.storage.StorageExamination.Finding;
import io.turnkeeper.events.storage.StorageException;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.Front.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsIT {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  static Path dir;

  @SuppressWarnings("NullAway.Init")
  private static TestStore store;

  @SuppressWarnings("NullAway.Init")
  private static Front front;

  @SuppressWarnings("NullAway.Init")
  private static S3Access access;

  private final Storage storage = access.at(TestStore.newRoot());

  @BeforeAll
  static void start() throws IOException {
    store = TestStore.start(dir);
    front = new Front(store.endpoint());
    SortedMap<String, String> options = store.options(front.endpoint());
    options.put(S3Options.TIMEOUT, "1000");
    access = S3Access.with(S3Options.of(options, new TreeMap<>()));
  }

  @AfterAll
  static void stop() throws IOException {
    access.close();
    front.close();
    store.close();
  }

  @AfterEach
  void heal() {
    front.deal(request -> Deed.PASS);
  }

  /** Deals so with the first requests of a method, and passes the rest. */
  private static void first(int count, String method, Deed deed) {
    AtomicInteger seen = new AtomicInteger();
    front.deal(
        request ->
            request.method().equals(method) && seen.getAndIncrement() < count ? deed : Deed.PASS);
  }

  @Test
  void aPutWhoseAnswerIsLostIsKnownAsOnesOwn() throws IOException {
    first(1, "PUT", Deed.CUT_AFTER);
    assertThat(create("name", "mine")).isTrue();
    assertThat(front.requests()).extracting(Request::method).containsExactly("PUT", "PUT", "HEAD");
    assertThat(content("name")).isEqualTo("mine");
    assertThat(create("name", "mine")).as("another put of the same content").isFalse();
  }

  @Test
  void aPutThatIsAppliedAndAnsweredWithAnErrorIsKnownAsOnesOwn() throws IOException {
    AtomicInteger puts = new AtomicInteger();
    front.deal(
        request -> {
          if (request.method().equals("PUT") && puts.getAndIncrement() == 0) {
            return Deed.CUT_AFTER;
          }
          return puts.get() == 2 && request.method().equals("PUT")
              ? Deed.error(500, "InternalError", "")
              : Deed.PASS;
        });
    assertThat(create("name", "mine")).isTrue();
  }

  @Test
  void aPutThatNeverArrivedIsRepeated() throws IOException {
    first(2, "PUT", Deed.CUT_BEFORE);
    assertThat(create("name", "mine")).isTrue();
    assertThat(content("name")).isEqualTo("mine");
  }

  @Test
  void whoLosesANameIsNotToldOtherwiseByALostAnswer() throws IOException {
    create("name", "theirs");
    first(1, "PUT", Deed.CUT_AFTER);
    assertThat(create("name", "mine")).isFalse();
    assertThat(content("name")).isEqualTo("theirs");
  }

  @Test
  void aDraftWhoseOutcomeIsUnknownIsPublishedAgainWithoutHarm() throws IOException {
    try (Draft draft = storage.draft("name")) {
      draft.channel().write(ByteBuffer.wrap("mine".getBytes(UTF_8)));
      front.deal(request -> request.method().equals("PUT") ? Deed.CUT_AFTER : Deed.CUT_BEFORE);
      assertThatThrownBy(draft::publish).isInstanceOf(IOException.class);
      front.deal(request -> Deed.PASS);
      assertThat(content("name")).isEqualTo("mine");
      assertThat(draft.publish()).as("it gave the name").isTrue();
      assertThat(draft.publish()).isFalse();
    }
  }

  @Test
  void aLargeObjectIsCopiedInPartsAlthoughAnswersAreLost() throws IOException {
    byte[] content = new byte[11 << 20];
    new Random(1).nextBytes(content);
    storage.createIfAbsent("large", content);
    AtomicInteger lost = new AtomicInteger();
    front.deal(
        request ->
            request.target().contains("uploadId=") && lost.getAndIncrement() % 2 == 0
                ? Deed.CUT_AFTER
                : Deed.PASS);
    new ObjectCopy(access, S3Place.of(storage.location()), "large", "copy", 5 << 20).copy();
    assertThat(lost.get()).as("three parts and an end, each of them twice").isEqualTo(8);
    assertThat(storage.content("copy")).isEqualTo(content);
  }

  @Test
  void aCopyInPartsThatFailsLeavesNoParts() throws IOException {
    storage.createIfAbsent("large", new byte[6 << 20]);
    deal(request -> request.target().contains("partNumber=2"), Deed.error(403, "AccessDenied", ""));
    ObjectCopy copy =
        new ObjectCopy(access, S3Place.of(storage.location()), "large", "copy", 5 << 20);
    assertCode(FailureCode.PERMISSION_DENIED, copy::copy);
    assertThat(front.requests()).last().returns("DELETE", Request::method);
    assertThat(storage.stat("copy")).isEmpty();
  }

  @Test
  void burstsOfErrorsAreWaitedOut() throws IOException {
    create("folder/name", "x");
    first(3, "GET", Deed.error(500, "InternalError", "Please try again."));
    assertThat(content("folder/name")).isEqualTo("x");
    first(3, "GET", Deed.error(503, "ServiceUnavailable", "Please try again."));
    assertThat(storage.list("folder/").files()).hasSize(1);
    first(1, "PUT", Deed.error(503, "SlowDown", "Please reduce your request rate."));
    assertThat(create("folder/other", "y")).isTrue();
    first(3, "POST", Deed.error(503, "ServiceUnavailable", "Please try again."));
    storage.deleteFolder("folder/");
    assertThat(storage.list("folder/").files()).isEmpty();
  }

  @Test
  void a503ThatStaysIsAFailureThatPasses() {
    assertFails(
        FailureCode.IO, Deed.error(503, "ServiceUnavailable", "reduce"), () -> storage.list(""));
  }

  @Test
  void halfABodyIsNotAWholeOne() throws IOException {
    String content = "0123456789".repeat(1_000);
    create("name", content);
    first(1, "GET", Deed.HALF_BODY);
    assertThat(content("name")).isEqualTo(content);
    assertFails(FailureCode.IO, Deed.HALF_BODY, () -> storage.content("name"));
  }

  @Test
  void aBodyThatStallsIsAskedForAgain() throws IOException {
    create("name", "content");
    first(1, "GET", Deed.STALL);
    assertThat(content("name")).isEqualTo("content");
  }

  @Test
  void aCodeIsNeverTakenFromDigits() throws IOException {
    create("404/403-503", "x");
    assertFails(
        FailureCode.IO,
        Deed.error(500, "InternalError", "403 404 AccessDenied NoSuchBucket"),
        () -> storage.content("404/403-503"));
    assertFails(
        FailureCode.PERMISSION_DENIED,
        Deed.error(403, "AccessDenied", "500 503 404 NoSuchKey"),
        () -> storage.content("404/403-503"));
  }

  @Test
  void accessThatIsDeniedToOnePlaceLeavesOthers() throws IOException {
    create("name", "x");
    Storage denied = access.at(TestStore.newRoot());
    deal(request -> request.target().contains(denied.key()), Deed.error(403, "AccessDenied", ""));
    assertCode(FailureCode.PERMISSION_DENIED, () -> denied.stat("name"));
    assertCode(FailureCode.PERMISSION_DENIED, () -> denied.createIfAbsent("name", new byte[1]));
    assertThat(content("name")).isEqualTo("x");
  }

  @Test
  void whatExpiresOrIsLateMayPass() {
    assertFails(
        FailureCode.IO,
        Deed.error(400, "ExpiredToken", ""),
        () -> storage.createIfAbsent("a", new byte[1]));
    assertFails(
        FailureCode.IO, Deed.error(403, "RequestTimeTooSkewed", ""), () -> storage.list(""));
  }

  @Test
  void whatIsMissingIsMissing() {
    assertThatThrownBy(() -> storage.read("none")).isInstanceOf(NoSuchFileException.class);
    deal(request -> true, Deed.error(404, "NoSuchBucket", ""));
    assertCode(FailureCode.NO_SUCH_TABLE, () -> storage.stat("none"));
  }

  @Test
  void aStoreIsExaminedBeforeTablesRestOnIt() throws Exception {
    assertThat(StorageExamination.of(storage, 32, 2)).hasSize(8).allMatch(Finding::good);
    assertThat(storage.list("").folders()).as("what it left").isEmpty();
    deal(request -> request.method().equals("PUT"), Deed.SAY_DONE);
    assertThat(StorageExamination.refusal(storage).orElseThrow())
        .contains("the condition of a put is ignored");
    deal(request -> request.method().equals("PUT"), Deed.error(403, "AccessDenied", "no"));
    assertThat(StorageExamination.refusal(storage).orElseThrow())
        .startsWith("write: PERMISSION_DENIED");
  }

  @Test
  void aClockThatIsTwentyMinutesOffIsSeenAlsoWhenTheStoreRefusesForIt() throws Exception {
    front.deal(request -> Deed.behind(Duration.ofMinutes(20)));
    assertThat(storage.clockAhead().orElseThrow())
        .isCloseTo(Duration.ofMinutes(20), Duration.ofSeconds(30));
    assertThat(StorageExamination.refusal(storage).orElseThrow()).startsWith("clock: this machine");
    front.deal(request -> Deed.error(403, "RequestTimeTooSkewed", "The difference is too large."));
    assertThat(StorageExamination.refusal(storage).orElseThrow())
        .startsWith("clock: IO: ")
        .contains("The difference is too large.");
  }

  @Test
  void somebodyWhoWritesTheSameNameIsWaitedFor() throws IOException {
    first(5, "PUT", Deed.error(409, "ConditionalRequestConflict", ""));
    assertThat(create("name", "x")).isTrue();
  }

  @Test
  void anInterruptIsKept() {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> storage.list("")).isInstanceOf(IOException.class);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  private static void deal(Function<Request, Boolean> which, Deed deed) {
    front.deal(request -> which.apply(request) ? deed : Deed.PASS);
  }

  private static void assertFails(FailureCode code, Deed deed, ThrowingCallable call) {
    front.deal(request -> deed);
    assertCode(code, call);
  }

  private static void assertCode(FailureCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(StorageException.class)
        .extracting("code")
        .isEqualTo(code);
  }

  private boolean create(String name, String content) throws IOException {
    return storage.createIfAbsent(name, content.getBytes(UTF_8));
  }

  private String content(String name) throws IOException {
    return new String(storage.content(name), UTF_8);
  }
}
