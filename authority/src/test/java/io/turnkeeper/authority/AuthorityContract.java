package io.turnkeeper.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every authority must do, whatever it is made of. */
public abstract class AuthorityContract {
  protected static final TableId TABLE = new TableId("flights/2024");
  protected static final String PLACE = "/data/flights";
  protected static final ShardId SHARD = new ShardId("a");
  protected static final Duration TTL = Duration.ofSeconds(30);

  private int manifests;

  /** An authority that knows no table; the same one throughout a test. */
  protected abstract Authority authority();

  /** Ends the lease of the turn on the authority's side. */
  protected abstract void expire(HeldTurn held) throws Exception;

  @Test
  void aTableThatIsNotRegisteredHasNoHead() throws Exception {
    assertThat(authority().head(TABLE, soon())).isEmpty();
    assertThat(authority().location(PLACE, soon())).isEmpty();
    assertThat(authority().take(attempt(1), 1, TTL, soon()))
        .isEqualTo(new TakeOutcome.NoSuchTable(TABLE));
  }

  @Test
  void registrationMakesHeadLocationAndManifestTogether() throws Exception {
    Manifest manifest = manifest();
    RegisterOutcome outcome =
        authority().register(TABLE, PLACE, 7, manifest, marks(SHARD, 3), soon());
    Head head = new Head(1, PLACE, 7, 0, 0, 0, manifest, marks(SHARD, 3), 0);
    assertThat(outcome).isEqualTo(new RegisterOutcome.Registered(head));
    assertThat(authority().head(TABLE, soon())).contains(head);
    assertThat(authority().location(PLACE, soon())).contains(new Location(TABLE, 1));
    assertThat(authority().manifest(TABLE, 7, soon())).contains(manifest);
    assertThat(authority().manifest(TABLE, 8, soon())).isEmpty();
  }

  @Test
  void aSecondRegistrationChangesNothing() throws Exception {
    Head head = registered();
    assertThat(register(TABLE, PLACE)).isEqualTo(new RegisterOutcome.AlreadyRegistered(head));
    assertThat(register(TABLE, "/data/other"))
        .isEqualTo(new RegisterOutcome.RegisteredElsewhere(head));
    assertThat(register(new TableId("copy"), PLACE))
        .isEqualTo(new RegisterOutcome.LocationTaken(TABLE));
    assertThat(authority().head(new TableId("copy"), soon())).isEmpty();
    assertThat(authority().location("/data/other", soon())).isEmpty();
  }

  @Test
  void aHeadThatWouldBeTooLargeIsNotRegistered() throws Exception {
    SortedMap<ShardId, Long> many = new TreeMap<>();
    for (int i = 0; i < 3_000; i++) {
      many.put(new ShardId("s".repeat(100) + i), 1L);
    }
    assertThat(authority().register(TABLE, PLACE, 1, manifest(), many, soon()))
        .isInstanceOf(RegisterOutcome.TooManyShards.class);
    assertThat(authority().head(TABLE, soon())).isEmpty();
  }

  @Test
  void aDroppedTableLeavesItsNumbersBehind() throws Exception {
    registered();
    HeldTurn held = take(5);
    assertThat(authority().drop(held, soon())).isTrue();
    assertThat(authority().drop(held, soon())).isFalse();
    assertThat(authority().head(TABLE, soon())).isEmpty();
    assertThat(authority().location(PLACE, soon())).isEmpty();
    assertThat(authority().take(attempt(1), 6, TTL, soon()))
        .isInstanceOf(TakeOutcome.NoSuchTable.class);
    Head again = registered();
    assertThat(again.tableIncarnation()).isEqualTo(2);
    assertThat(again.highestTurn()).isEqualTo(5);
    assertThat(authority().take(attempt(1), 5, TTL, soon()))
        .isInstanceOf(TakeOutcome.StaleTurn.class);
    assertThat(authority().drop(held, soon())).isFalse();
  }

  @Test
  void onlyTheHolderOfTheTurnCanDropTheTable() throws Exception {
    registered();
    HeldTurn lower = take(1);
    HeldTurn higher = take(2);
    assertThat(authority().drop(lower, soon())).isFalse();
    HeldTurn next = committed(higher, commit(2, false));
    assertThat(authority().drop(higher, soon())).isFalse();
    assertThat(head().version()).isEqualTo(2);
    assertThat(next.head().version()).isEqualTo(2);
  }

  @Test
  void theHolderOfADroppedTableCannotCommit() throws Exception {
    registered();
    HeldTurn held = take(1);
    authority().drop(take(2), soon());
    assertThat(fenced(held).code()).isEqualTo(FailureCode.NO_SUCH_TABLE);
    registered();
    assertThat(fenced(held).code()).isEqualTo(FailureCode.TURN_LOST);
  }

  @Test
  void recordsBelowTheHeadCanBeForgotten() throws Exception {
    registered();
    HeldTurn held = take(1);
    for (long version = 2; version <= 12; version++) {
      held = committed(held, commit(version, false));
    }
    assertThat(authority().forget(held, 10, soon())).isTrue();
    assertThat(authority().manifest(TABLE, 2, soon())).isEmpty();
    assertThat(authority().manifest(TABLE, 9, soon())).isEmpty();
    assertThat(authority().manifest(TABLE, 10, soon())).isPresent();
    assertThat(authority().forget(held, 100, soon())).isTrue();
    assertThat(authority().manifest(TABLE, 11, soon())).isEmpty();
    assertThat(authority().manifest(TABLE, 12, soon())).isPresent();
    committed(held, commit(13, true));
    assertThat(authority().forget(held, 13, soon())).isFalse();
    assertThat(authority().manifest(TABLE, 12, soon())).isPresent();
  }

  @Test
  void whatWasMadeAroundTheTurnsCanBeAccepted() throws Exception {
    registered();
    committed(take(1), new Commit(2, manifest(), marks(SHARD, 8), true));
    Manifest manifest = manifest();
    assertThat(fenced(take(2), Commit.accepting(2, manifest)).code())
        .isEqualTo(FailureCode.FORKED_HISTORY);
    committed(take(3), Commit.accepting(5, manifest));
    assertThat(head()).isEqualTo(new Head(1, PLACE, 5, 3, 0, 0, manifest, marks(SHARD, 8), 3));
    assertThat(authority().manifest(TABLE, 5, soon())).contains(manifest);
    committed(take(4), commit(6, true));
  }

  @Test
  void aTakenTurnIsTheHighestAndChangesNoVersion() throws Exception {
    Head before = registered();
    HeldTurn held = take(4);
    assertThat(held.head()).isEqualTo(before.withHighestTurn(4));
    assertThat(held.lease().isLive()).isTrue();
    assertThat(authority().head(TABLE, soon())).contains(before.withHighestTurn(4));
  }

  @Test
  void aTurnThatIsNotHigherIsStale() throws Exception {
    registered();
    HeldTurn held = take(4);
    for (long turn : new long[] {1, 3, 4}) {
      assertThat(authority().take(attempt(9), turn, TTL, soon()))
          .isEqualTo(new TakeOutcome.StaleTurn(held.head()));
    }
    authority().release(held, soon());
    assertThat(authority().take(attempt(9), 4, TTL, soon()))
        .isEqualTo(new TakeOutcome.StaleTurn(held.head()));
  }

  @Test
  void aCommitMovesVersionTurnAndMarks() throws Exception {
    registered();
    HeldTurn held = take(4);
    Manifest manifest = manifest();
    CommitOutcome outcome =
        authority().commit(held, new Commit(2, manifest, marks(SHARD, 8), true), soon());
    Head head = new Head(1, PLACE, 2, 4, 12, 3, manifest, marks(SHARD, 8), 4);
    assertThat(((CommitOutcome.Committed) outcome).head()).isEqualTo(head);
    assertThat(authority().head(TABLE, soon())).contains(head);
    assertThat(authority().manifest(TABLE, 2, soon())).contains(manifest);
    assertThat(held.lease().isLive()).isFalse();
  }

  @Test
  void oneTurnCarriesSeveralCommitsUntilTheLast() throws Exception {
    registered();
    HeldTurn held = take(4);
    HeldTurn second = committed(held, commit(2, false));
    assertThat(second.lease().isLive()).isTrue();
    HeldTurn third = committed(second, commit(3, false));
    HeldTurn over = committed(third, commit(4, true));
    assertThat(head().version()).isEqualTo(4);
    assertThat(fenced(over).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(authority().release(over, soon())).isEqualTo(new ReleaseOutcome.NotHeld());
  }

  @Test
  void aTurnCommitsOnlyOnItsNewestHead() throws Exception {
    registered();
    HeldTurn held = take(4);
    committed(held, commit(2, false));
    assertThat(fenced(held, commit(2, false)).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(head().version()).isEqualTo(2);
  }

  @Test
  void aVersionThatDoesNotFollowIsRefused() throws Exception {
    registered();
    assertThat(fenced(take(1), commit(3, true)).code()).isEqualTo(FailureCode.FORKED_HISTORY);
    assertThat(fenced(take(2), commit(1, true)).code()).isEqualTo(FailureCode.FORKED_HISTORY);
    assertThat(head().version()).isEqualTo(1);
  }

  @Test
  void whoLostTheTurnIsToldSoWhateverVersionIsAskedFor() throws Exception {
    registered();
    HeldTurn lower = take(1);
    committed(take(2), commit(2, true));
    assertThat(fenced(lower, commit(3, true)).code()).isEqualTo(FailureCode.TURN_LOST);
  }

  @Test
  void aMarkThatDoesNotRiseIsRefused() throws Exception {
    registered();
    committed(take(1), new Commit(2, manifest(), marks(SHARD, 8), true));
    Commit same = new Commit(3, manifest(), marks(SHARD, 8), true);
    assertThat(fenced(take(2), same).code()).isEqualTo(FailureCode.STALE_PREPARATION);
    ShardId other = new ShardId("b");
    committed(take(3), new Commit(3, manifest(), marks(other, 1), true));
    assertThat(head().mergedThrough(SHARD)).isEqualTo(8);
    assertThat(head().mergedThrough(other)).isEqualTo(1);
  }

  @Test
  void aHigherTurnPreemptsALowerOneThatNeverComesBack() throws Exception {
    registered();
    HeldTurn lower = take(1);
    HeldTurn higher = take(2);
    CommitOutcome.Fenced fenced = fenced(lower);
    assertThat(fenced.code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(fenced.head()).isEqualTo(higher.head());
    committed(higher, commit(2, true));
    assertThat(fenced(lower, commit(2, true)).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(head().turn()).isEqualTo(2);
  }

  @Test
  void aLowerTurnStaysRefusedWhenTheHigherOneEndedWithoutACommit() throws Exception {
    registered();
    HeldTurn lower = take(1);
    assertThat(authority().release(take(2), soon())).isEqualTo(new ReleaseOutcome.Released());
    assertThat(fenced(lower).code()).isEqualTo(FailureCode.TURN_LOST);
    HeldTurn third = take(3);
    expire(third);
    assertThat(fenced(lower).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(fenced(third).code()).isEqualTo(FailureCode.TURN_LOST);
  }

  @Test
  void releasingAPreemptedTurnDoesNotTouchTheHolder() throws Exception {
    registered();
    HeldTurn lower = take(1);
    HeldTurn higher = take(2);
    assertThat(authority().release(lower, soon())).isEqualTo(new ReleaseOutcome.NotHeld());
    committed(higher, commit(2, true));
  }

  @Test
  void aTurnWhoseLeaseEndedCannotCommit() throws Exception {
    registered();
    HeldTurn held = take(1);
    expire(held);
    assertThat(fenced(held).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(authority().release(held, soon())).isEqualTo(new ReleaseOutcome.NotHeld());
    assertThat(head().version()).isEqualTo(1);
  }

  @Test
  void aTurnThatWasGivenBackCannotCommit() throws Exception {
    registered();
    HeldTurn held = take(1);
    authority().release(held, soon());
    assertThat(fenced(held).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(held.lease().isLive()).isFalse();
    assertThat(lossOf(held.lease())).isEqualTo(Lease.Loss.CLOSED);
  }

  @Test
  void tablesDoNotTouchEachOther() throws Exception {
    registered();
    TableId other = new TableId("flights/2024/x");
    register(other, "/data/x");
    HeldTurn held = take(1);
    authority().take(new Attempt(new UnitId(other, 1), 1, executor(), 1), 9, TTL, soon());
    committed(held, commit(2, true));
    assertThat(authority().head(other, soon()).map(Head::version)).contains(1L);
  }

  @Test
  void aLaterStartOfAnExecutorReplacesTheEarlier() throws Exception {
    ExecutorSession first = authority().registerExecutor(executor(), TTL_SHORT, soon());
    ExecutorSession second = authority().registerExecutor(executor(), TTL_SHORT, soon());
    assertThat(second.incarnation()).isGreaterThan(first.incarnation());
    assertThat(lossOf(first.lease())).isEqualTo(Lease.Loss.REPLACED);
    assertThat(second.lease().isLive()).isTrue();
    first.close();
    second.close();
    ExecutorSession third = authority().registerExecutor(executor(), TTL_SHORT, soon());
    assertThat(third.incarnation()).isGreaterThan(second.incarnation());
    third.close();
  }

  protected static final Duration TTL_SHORT = Duration.ofSeconds(3);

  protected static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(10));
  }

  protected static Attempt attempt(int number) {
    return new Attempt(new UnitId(TABLE, 12), number, executor(), 77);
  }

  protected static ExecutorId executor() {
    return new ExecutorId("worker-1");
  }

  protected static SortedMap<ShardId, Long> marks(ShardId shard, long mark) {
    return new TreeMap<>(Map.of(shard, mark));
  }

  protected static Lease.Loss lossOf(Lease lease) throws Exception {
    return lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  protected Manifest manifest() {
    return new Manifest("_fence/" + ++manifests + ".pending", 10, "0".repeat(64));
  }

  protected Commit commit(long version, boolean last) {
    return new Commit(version, manifest(), new TreeMap<>(), last);
  }

  protected RegisterOutcome register(TableId table, String uri) {
    return authority().register(table, uri, 1, manifest(), new TreeMap<>(), soon());
  }

  protected Head registered() {
    return ((RegisterOutcome.Registered) register(TABLE, PLACE)).head();
  }

  protected Head head() throws AuthorityUnavailableException {
    Optional<Head> head = authority().head(TABLE, soon());
    return head.orElseThrow();
  }

  protected HeldTurn take(long turn) {
    return ((TakeOutcome.Taken) authority().take(attempt(3), turn, TTL, soon())).held();
  }

  protected HeldTurn committed(HeldTurn held, Commit commit) {
    return ((CommitOutcome.Committed) authority().commit(held, commit, soon())).next();
  }

  protected CommitOutcome.Fenced fenced(HeldTurn held) {
    return fenced(held, commit(held.head().version() + 1, true));
  }

  protected CommitOutcome.Fenced fenced(HeldTurn held, Commit commit) {
    return (CommitOutcome.Fenced) authority().commit(held, commit, soon());
  }
}
