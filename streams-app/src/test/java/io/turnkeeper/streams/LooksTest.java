package io.turnkeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Test;

class LooksTest {
  private final MockProcessorContext<String, String> context = new MockProcessorContext<>();
  private final List<String> looked = new ArrayList<>();
  private final Looks looks = new Looks(context, () -> looked.add("looked"));

  @Test
  void aLookIsAsLateAsItMayBe() {
    looks.by(5_000, 1_000);
    looks.by(6_000, 1_100);
    assertThat(planned()).containsExactly(4_000L);
  }

  @Test
  void anEarlierReasonTakesThePlaceOfALaterOne() {
    looks.by(5_000, 1_000);
    looks.by(2_000, 1_100);
    assertThat(planned()).containsExactly(900L);
  }

  @Test
  void looksDoNotFollowEachOtherAtOnce() {
    looks.by(0, 1_000);
    looks.by(0, 1_050);
    assertThat(planned()).containsExactly(Looks.LEAST_MILLIS);
  }

  @Test
  void afterALookThereIsNoneUntilSomebodyWantsOne() {
    looks.by(2_000, 1_000);
    run();
    assertThat(looked).hasSize(1);
    assertThat(planned()).isEmpty();
    looks.by(3_000, 2_000);
    assertThat(planned()).containsExactly(1_000L);
  }

  private void run() {
    CapturedPunctuator next = context.scheduledPunctuators().get(0);
    next.getPunctuator().punctuate(0);
  }

  /** How far ahead, in milliseconds, the looks are that will come. */
  private List<Long> planned() {
    return context.scheduledPunctuators().stream()
        .filter(punctuator -> !punctuator.cancelled())
        .map(punctuator -> punctuator.getInterval().toMillis())
        .toList();
  }
}
