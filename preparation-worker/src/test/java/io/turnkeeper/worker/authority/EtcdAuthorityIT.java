package io.turnkeeper.worker.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityContract;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Lease;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.FailureCode;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract on a real etcd, and what only a remote authority can suffer. */
@SuppressWarnings("NullAway.Init")
class EtcdAuthorityIT extends AuthorityContract {
  private static EtcdProcess process;

  private DisturbedEtcd etcd;
  private FaultyKv kv;
  private EtcdAuthority authority;

  @BeforeAll
  static void start() throws Exception {
    process = EtcdProcess.start();
  }

  @AfterAll
  static void stop() {
    process.close();
  }

  @BeforeEach
  void connect() {
    etcd = DisturbedEtcd.at(process.endpoint());
    kv = etcd.kv();
    authority = etcd.authority();
  }

  @AfterEach
  void disconnect() {
    etcd.close();
  }

  @Override
  protected Authority authority() {
    return authority;
  }

  @Override
  protected void expire(HeldTurn held) throws Exception {
    etcd.revoke(held);
  }

  @Test
  void aCommitWhoseAnswerWasLostIsFoundOut() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.loseAnswers(1);
    HeldTurn next = committed(held, commit(2, false));
    assertThat(kv.lost()).isEqualTo(1);
    assertThat(head().version()).isEqualTo(2);
    kv.loseAnswers(2);
    committed(next, commit(3, true));
    assertThat(head().version()).isEqualTo(3);
  }

  @Test
  void aCommitThatNeverArrivedIsRepeated() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.loseRequests(2);
    committed(held, commit(2, true));
    assertThat(head().version()).isEqualTo(2);
  }

  @Test
  void aCommitWithoutAnyAnswerIsUnknown() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.loseAnswers(Integer.MAX_VALUE);
    CommitOutcome outcome =
        authority.commit(held, commit(2, true), Deadline.after(Duration.ofMillis(300)));
    kv.loseAnswers(0);
    assertThat(((CommitOutcome.Unknown) outcome).code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
    assertThat(head().version()).isEqualTo(2);
  }

  @Test
  void aCommitThatCouldNotBeSentIsNotUnknown() throws Exception {
    registered();
    HeldTurn held = take(1);
    CommitOutcome outcome =
        authority.commit(held, commit(2, true), Deadline.after(Duration.ofSeconds(-1)));
    assertThat(((CommitOutcome.Fenced) outcome).code())
        .isEqualTo(FailureCode.AUTHORITY_UNAVAILABLE);
  }

  @Test
  void aLostAnswerDoesNotHideThatTheTurnWasTaken() throws Exception {
    registered();
    HeldTurn lower = take(1);
    kv.beforeNextTransaction(() -> preempt(2));
    kv.loseAnswers(1);
    assertThat(fenced(lower).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(head().version()).isEqualTo(1);
  }

  @Test
  void aCommitThatLandedBeforeItWasPreemptedIsStillMine() throws Exception {
    registered();
    HeldTurn lower = take(1);
    kv.loseAnswers(1);
    kv.afterNextTransaction(() -> preempt(2));
    committed(lower, commit(2, false));
    assertThat(head().version()).isEqualTo(2);
    assertThat(head().highestTurn()).isEqualTo(2);
  }

  @Test
  void aCommitWhoseRecordIsClearedAwayIsUnknown() throws Exception {
    registered();
    HeldTurn lower = take(1);
    kv.loseAnswers(1);
    kv.afterNextTransaction(
        () -> {
          preempt(2);
          etcd.clear(TABLE, 2);
        });
    CommitOutcome outcome = authority.commit(lower, commit(2, true), soon());
    assertThat(((CommitOutcome.Unknown) outcome).code()).isEqualTo(FailureCode.OUTCOME_UNKNOWN);
  }

  @Test
  void aCommitThatIsRefusedForWantOfSpaceIsNotRealAndSaysWhy() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.refuseRequests(1);
    CommitOutcome.Fenced fenced = fenced(held);
    assertThat(fenced.code()).isEqualTo(FailureCode.AUTHORITY_UNAVAILABLE);
    assertThat(fenced.message()).contains("database space exceeded");
    assertThat(head().version()).isEqualTo(1);
  }

  @Test
  void aCommitThatIsAppliedAndAnsweredWithTheWantOfSpaceIsMine() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.spoilAnswers(1);
    HeldTurn next = committed(held, commit(2, false));
    kv.spoilAnswers(1);
    committed(next, commit(3, true));
    assertThat(head().version()).isEqualTo(3);
  }

  @Test
  void aLostCommitBehindARefusalForWantOfSpaceMayStillLand() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.loseRequests(1);
    kv.refuseRequests(1);
    assertThat(authority.commit(held, commit(2, true), soon()))
        .isInstanceOf(CommitOutcome.Unknown.class);
  }

  @Test
  void aLostCommitThatLandedIsMineAlsoWhenItsRepetitionFindsNoSpace() throws Exception {
    registered();
    HeldTurn held = take(1);
    kv.loseAnswers(1);
    kv.afterNextTransaction(() -> kv.refuseRequests(1));
    committed(held, commit(2, true));
    assertThat(head().version()).isEqualTo(2);
  }

  @Test
  void aTakeThatIsRefusedForWantOfSpaceSaysWhy() throws Exception {
    registered();
    kv.refuseRequests(1);
    assertThat(((TakeOutcome.Unavailable) authority.take(attempt(1), 1, TTL, soon())).reason())
        .contains("database space exceeded");
    committed(take(2), commit(2, true));
  }

  @Test
  void aRegistrationThatIsAppliedAndAnsweredWithTheWantOfSpaceIsFoundByAskingAgain()
      throws Exception {
    kv.spoilAnswers(1);
    assertThat(((RegisterOutcome.Unavailable) register(TABLE, PLACE)).reason())
        .contains("database space exceeded");
    assertThat(register(TABLE, PLACE)).isEqualTo(new RegisterOutcome.AlreadyRegistered(head()));
  }

  @Test
  void aTakeWhoseAnswerWasLostIsFoundOut() throws Exception {
    registered();
    kv.loseAnswers(2);
    committed(take(1), commit(2, true));
  }

  @Test
  void aRegistrationWhoseAnswerWasLostIsFoundOut() throws Exception {
    kv.loseAnswers(1);
    assertThat(registered().tableIncarnation()).isEqualTo(1);
    assertThat(kv.lost()).isEqualTo(1);
  }

  @Test
  void aTakeThatRacesAnotherChangeLooksAgain() throws Exception {
    registered();
    HeldTurn lower = take(1);
    kv.beforeNextTransaction(() -> committed(lower, commit(2, true)));
    HeldTurn higher = take(2);
    assertThat(higher.head().version()).isEqualTo(2);
    committed(higher, commit(3, true));
  }

  @Test
  void nothingHangsWhenEtcdIsNotThere() throws Exception {
    try (EtcdAuthority nowhere =
        EtcdAuthority.connect(EtcdSettings.of(URI.create("http://127.0.0.1:1")))) {
      Deadline deadline = Deadline.after(Duration.ofMillis(500));
      TakeOutcome outcome = nowhere.take(attempt(1), 1, TTL, deadline);
      assertThat(outcome).isInstanceOf(TakeOutcome.Unavailable.class);
    }
  }

  @Test
  void aLeaseIsRenewedBeyondItsTimeToLive() throws Exception {
    registered();
    HeldTurn held = ((TakeOutcome.Taken) authority.take(attempt(1), 1, TTL_SHORT, soon())).held();
    assertThat(held.lease().lost().toCompletableFuture())
        .as("lost within twice the time to live")
        .failsWithin(TTL_SHORT.multipliedBy(2));
    committed(held, commit(2, true));
  }

  @Test
  void theHolderIsToldOfARevokedLease() throws Exception {
    registered();
    HeldTurn held = ((TakeOutcome.Taken) authority.take(attempt(1), 1, TTL_SHORT, soon())).held();
    expire(held);
    assertThat(lossOf(held.lease())).isEqualTo(Lease.Loss.REVOKED);
  }

  @Test
  void theHolderIsToldBeforeAFrozenAuthorityCanEndTheLease() throws Exception {
    registered();
    long taken = System.nanoTime();
    HeldTurn held = ((TakeOutcome.Taken) authority.take(attempt(1), 1, TTL_SHORT, soon())).held();
    process.freeze();
    try {
      assertThat(lossOf(held.lease())).isEqualTo(Lease.Loss.EXPIRED);
      assertThat(held.lease().isLive()).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - taken)).isLessThan(TTL_SHORT.multipliedBy(2));
    } finally {
      process.thaw();
    }
  }

  private void preempt(long turn) {
    try (DisturbedEtcd other = etcd.another()) {
      assertThat(other.authority().take(attempt(2), turn, TTL, soon()))
          .isInstanceOf(TakeOutcome.Taken.class);
    }
  }
}
