package io.turnkeeper.streams.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
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

  private static PolicySet set(PolicyDocument policy) {
    return new PolicySet(new TableId("t"), policy, "ada", "a try");
  }

  private static String text(JournalEntry entry) {
    return new StepText(new StepJson(new RecordCodec())).of(new JournalStep(0, entry, List.of()));
  }
}
