package io.turnkeeper.streams.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.UnitDecision.EndReservation;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.StepJson;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A journal step as people read it. */
class StepTextTest {
  @Test
  void ofAPolicyOnlyWhatItSetsIsShown() {
    PolicyDocument policy =
        PolicyDocument.of(
            draft -> {
              draft.mode = PolicyMode.SHADOW;
              draft.kinds = List.of();
            });
    JournalEntry entry = new JournalEntry(3, 1_800_000_000_000L, null, set(policy));
    assertThat(text(entry))
        .contains("PolicySet")
        .contains("document={\"type\":\"PolicyDocument\",\"mode\":\"SHADOW\",\"kinds\":[]}")
        .contains("reason=a try");
  }

  @Test
  void anEmptyPolicyIsShownAsOne() {
    JournalEntry entry = new JournalEntry(3, 1_800_000_000_000L, null, set(PolicyDocument.EMPTY));
    assertThat(text(entry)).contains("document={\"type\":\"PolicyDocument\"}");
  }

  @Test
  void unitsAndAttemptsAreNamedInOneWord() {
    UnitId unit = new UnitId(new TableId("flights"), 7);
    Attempt attempt = new Attempt(unit, 2, new ExecutorId("w-1"), 3);
    JournalEntry entry = new JournalEntry(3, 1_800_000_000_000L, null, new UnitClaimed(attempt));
    DecisionRecord decision =
        new DecisionRecord(
            0, 3, 0, 8, new EndReservation(unit, 2, new PoolId("default"), null, 0), "all over");
    assertThat(text(new JournalStep(0, entry, List.of(decision))))
        .contains("UnitClaimed attempt=flights#7/2@w-1:3")
        .contains("EndReservation unit=flights#7 attempt=2 ");
  }

  private static PolicySet set(PolicyDocument policy) {
    return new PolicySet(new TableId("t"), policy, "ada", "a try");
  }

  private static String text(JournalEntry entry) {
    return text(new JournalStep(0, entry, List.of()));
  }

  private static String text(JournalStep step) {
    return new StepText(new StepJson(new RecordCodec())).of(step);
  }
}
