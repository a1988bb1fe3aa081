package io.turnkeeper.core.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a policy that is valid would do that hardly anybody wants. */
public final class PolicyAdvice {
  private static final long SHORT_MILLIS = 1_000;

  private PolicyAdvice() {}

  /** One line for each doubt, which begins with the field; empty if there is none. */
  public static List<String> of(PolicyDocument document) {
    List<String> doubts = new ArrayList<>();
    String looks = "each look at the table is entries of a journal that is kept for ever";
    if (document.kinds() != null && document.kinds().isEmpty()) {
      doubts.add("kinds is empty: nothing is begun, not even a look at the table");
    }
    doubt(doubts, "observe.after", document.observeAfterMillis(), looks);
    doubt(doubts, "observe.rescanAfter", document.observeRescanAfterMillis(), looks);
    doubt(
        doubts,
        "idleTimeout",
        document.idleTimeoutMillis(),
        "progress is told twice a second, so work that is alive may be cancelled");
    doubt(
        doubts,
        "turns.publishTimeout",
        document.publishTimeoutMillis(),
        "a worker that is alive may not publish in that time");
    return doubts;
  }

  private static void doubt(List<String> doubts, String field, @Nullable Long millis, String why) {
    if (millis != null && millis < SHORT_MILLIS) {
      doubts.add(field + " is " + millis + " ms: " + why);
    }
  }
}
