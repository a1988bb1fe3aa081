package io.turnkeeper.worker.fence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.events.storage.MemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The order of a commit's steps, and what is left when one of them fails. */
@SuppressWarnings("NullAway.Init")
class TurnCommitsTest {
  private static final TableId TABLE = new TableId("t");
  private static final String STAGED = "_versions/2.manifest-1";

  private final InMemoryAuthority authority = new InMemoryAuthority();
  private final MemoryStorage memory = new MemoryStorage("/table");
  private final FailingStorage storage = new FailingStorage(memory);
  private final Manifests manifests = new Manifests(storage);
  private TurnCommits commits;

  @BeforeEach
  void takeTurnOne() throws IOException {
    String first = ManifestPaths.visible(1);
    put(first, "first");
    put(STAGED, "second");
    authority.register(
        TABLE, "/table", 1, manifests.read(first).orElseThrow(), new TreeMap<>(), soon());
    commits = new TurnCommits(authority, manifests, CrashPoint.NONE, take(1), soon());
    plan(1);
  }

  @Test
  void aCommitIsStagedRecordedAndVisible() throws IOException {
    assertThat(commit(2)).isTrue();
    assertThat(commits.ending()).isNull();
    assertThat(head().version()).isEqualTo(2);
    assertThat(commits.held().head()).isEqualTo(head());
    assertThat(content(ManifestPaths.visible(2))).isEqualTo("second");
    assertThat(content(head().manifest().path())).isEqualTo("second");
  }

  @Test
  void whatCannotBeStagedIsNotCommitted() {
    storage.createFails = true;
    assertThat(commit(2)).isFalse();
    assertEnding(FailureCode.IO);
    storage.createFails = false;
    assertThat(commit(2)).as("after a failure").isFalse();
    assertThat(head().version()).isEqualTo(1);
  }

  @Test
  void aCommitThatCannotBeMadeVisibleIsRealAllTheSame() throws IOException {
    storage.copyFails = true;
    plan(2);
    assertThat(commit(2)).isFalse();
    assertThat(commits.ending()).isEqualTo(new PublishOutcome.Published(commits.held(), head()));
    assertThat(head().version()).isEqualTo(2);
    storage.copyFails = false;
    assertThat(commit(3)).as("after a failure").isFalse();
    assertThat(new Versions(manifests).materialise(head())).isNull();
    assertThat(content(ManifestPaths.visible(2))).isEqualTo("second");
  }

  @Test
  void aLostLeaseIsNotTried() {
    authority.release(commits.held(), soon());
    assertThat(commit(2)).isFalse();
    assertEnding(FailureCode.TURN_LOST);
  }

  @Test
  void aRefusalOfTheAuthorityLeavesNoFile() {
    HeldTurn higher = take(2);
    assertThat(commit(2)).isFalse();
    assertEnding(FailureCode.TURN_LOST);
    assertThat(memory.list("_fence/").files()).isEmpty();
    assertThat(higher.lease().isLive()).isTrue();
  }

  @Test
  void aVersionThatDoesNotFollowIsAFork() {
    assertThat(commit(3)).isFalse();
    assertEnding(FailureCode.FORKED_HISTORY);
  }

  @Test
  void aManifestThatLiesElsewhereIsRefused() {
    assertThat(commits.commit(2, "elsewhere/2.manifest")).isFalse();
    assertEnding(FailureCode.UNKNOWN);
  }

  @Test
  void aVersionThatIsNotThereIsNotInvented() throws IOException {
    commit(2);
    memory.delete(List.of(ManifestPaths.visible(2)));
    String pending = head().manifest().path();
    put(pending, "other");
    assertThat(new Versions(manifests).materialise(head()))
        .extracting("code")
        .isEqualTo(FailureCode.CORRUPT_FILE);
    memory.delete(List.of(pending));
    assertThat(new Versions(manifests).materialise(head()))
        .extracting("code")
        .isEqualTo(FailureCode.MISSING_FILE);
  }

  private boolean commit(long version) {
    return commits.commit(version, storage.key() + "/" + STAGED);
  }

  private void put(String path, String content) {
    memory.put(path, content.getBytes(UTF_8));
  }

  private String content(String path) throws IOException {
    return new String(memory.content(path), UTF_8);
  }

  private void plan(int count) {
    TurnCommits.Planned planned = new TurnCommits.Planned(new TreeMap<>(), false);
    commits.plan(Collections.nCopies(count, planned));
  }

  private void assertEnding(FailureCode code) {
    assertThat(commits.ending()).isInstanceOf(PublishOutcome.Fenced.class);
    assertThat(commits.ending()).extracting("code").isEqualTo(code);
  }

  private Head head() {
    return authority.head(TABLE, soon()).orElseThrow();
  }

  private HeldTurn take(long turn) {
    Attempt attempt = new Attempt(new UnitId(TABLE, turn), 1, new ExecutorId("w"), 1);
    return ((TakeOutcome.Taken) authority.take(attempt, turn, Duration.ofSeconds(30), soon()))
        .held();
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(10));
  }
}
