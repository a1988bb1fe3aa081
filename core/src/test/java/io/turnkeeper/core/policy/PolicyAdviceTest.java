package io.turnkeeper.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyAdviceTest {
  @Test
  void whatIsShorterThanASecondOrAllowsNothingIsDoubted() {
    PolicyDocument document =
        PolicyDocument.of(
            draft -> {
              draft.kinds = List.of();
              draft.observeAfterMillis = 1L;
              draft.observeRescanAfterMillis = 999L;
              draft.idleTimeoutMillis = 2L;
              draft.publishTimeoutMillis = 3L;
            });
    assertThat(PolicyAdvice.of(document))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("kinds is empty: "),
            line -> assertThat(line).startsWith("observe.after is 1 ms: "),
            line -> assertThat(line).startsWith("observe.rescanAfter is 999 ms: "),
            line -> assertThat(line).startsWith("idleTimeout is 2 ms: "),
            line -> assertThat(line).startsWith("turns.publishTimeout is 3 ms: "));
  }

  @Test
  void whatIsASecondOrInheritedIsNot() {
    assertThat(PolicyAdvice.of(PolicyDocument.EMPTY)).isEmpty();
    assertThat(PolicyAdvice.of(PolicyDocument.of(draft -> draft.idleTimeoutMillis = 1_000L)))
        .isEmpty();
  }
}
