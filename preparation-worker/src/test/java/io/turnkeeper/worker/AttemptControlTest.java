package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.worker.work.WorkCancelledException;
import org.junit.jupiter.api.Test;

class AttemptControlTest {
  private static final Attempt ATTEMPT =
      new Attempt(new UnitId(new TableId("t"), 1), 1, new ExecutorId("e"), 1);

  private final AttemptControl control = new AttemptControl();

  @Test
  void ofSeveralTurnsOnlyTheHighestIsTaken() throws Exception {
    control.grant(turn(3));
    control.grant(turn(5));
    control.grant(turn(4));

    assertThat(control.awaitGrant().turn()).isEqualTo(5);
  }

  @Test
  void laterProgressVoidsACancel() {
    assertThat(control.cancel(cancel(7), 8)).isFalse();
    assertThat(control.cancel(cancel(7), 7)).isTrue();
    assertThat(control.cancel(cancel(7), 7)).isFalse();
  }

  @Test
  void anOperatorsCancelIsNeverVoided() {
    assertThat(control.cancel(cancel(Require.MAX_NUMBER), 1_000)).isTrue();
  }

  @Test
  void aCancelWhilePublishingWaitsForTheOutcome() throws Exception {
    control.beginPublishing();

    assertThat(control.cancel(cancel(Require.MAX_NUMBER), 0)).isFalse();
    assertThat(control.isOver()).isFalse();
    assertThat(control.endPublishing()).isEqualTo(cancel(Require.MAX_NUMBER));
    assertThat(control.isOver()).isTrue();
  }

  @Test
  void whatIsPublishedIsNotCancelled() throws Exception {
    control.beginPublishing();
    control.cancel(cancel(Require.MAX_NUMBER), 0);
    assertThat(control.end()).isTrue();

    assertThat(control.endPublishing()).isNull();
    assertThat(control.end()).isFalse();
  }

  @Test
  void aCancelledAttemptNeitherWaitsNorPublishes() {
    control.cancel(cancel(Require.MAX_NUMBER), 0);

    assertThatThrownBy(control::awaitGrant).isInstanceOf(WorkCancelledException.class);
    assertThatThrownBy(control::beginPublishing).isInstanceOf(WorkCancelledException.class);
  }

  @Test
  void drainingLetsAPublicationFinishButNotBeginAgain() throws Exception {
    control.beginPublishing();

    assertThat(control.endUnlessPublishing()).isFalse();
    assertThat(control.endPublishing()).isNull();
    control.grant(turn(9));
    assertThatThrownBy(control::awaitGrant).isInstanceOf(WorkCancelledException.class);
  }

  private static GrantTurn turn(long turn) {
    return new GrantTurn(ATTEMPT, turn, 1_000);
  }

  private static CancelUnit cancel(long sequence) {
    return new CancelUnit(ATTEMPT, sequence, "STALLED", "made no progress");
  }
}
