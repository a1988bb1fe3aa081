package io.turnkeeper.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RequireTest {
  @Test
  void numbersKeepTheirBounds() {
    assertThat(Require.count("n", 0)).isZero();
    assertThat(Require.count("n", Require.MAX_NUMBER)).isEqualTo(Require.MAX_NUMBER);
    assertThat(Require.positive("n", 1)).isEqualTo(1);
    assertRefused(() -> Require.count("n", -1), "n");
    assertRefused(() -> Require.count("n", Require.MAX_NUMBER + 1), "n");
    assertRefused(() -> Require.positive("n", 0), "n");
    assertRefused(() -> Require.positive("n", -1), "n");
  }

  @Test
  void timesLieBetween1970And2099() {
    assertThat(Require.time("at", 0)).isZero();
    assertThat(Require.time("at", Require.MAX_TIME_MILLIS)).isEqualTo(Require.MAX_TIME_MILLIS);
    assertRefused(() -> Require.time("at", -1), "at");
    assertRefused(() -> Require.time("at", Require.MAX_TIME_MILLIS + 1), "at");
  }

  @Test
  void textsAreRefusedOrCutAtTheirLongest() {
    String longest = "x".repeat(Require.MAX_TEXT);
    assertThat(Require.text("why", longest)).isEqualTo(longest);
    assertRefused(() -> Require.text("why", longest + "x"), "why");
    assertThat(Require.shortened(longest)).isEqualTo(longest);
    assertThat(Require.shortened(longest + "x")).hasSize(Require.MAX_TEXT).endsWith("x…");
  }

  @Test
  void noCharacterIsCutInTwo() {
    assertThat(Require.shortened("abc", 3)).isEqualTo("abc");
    assertThat(Require.shortened("abcd", 3)).isEqualTo("ab…");
    assertThat(Require.shortened("a\uD83D\uDE00cd", 4)).isEqualTo("a\uD83D\uDE00…");
    assertThat(Require.shortened("ab\uD83D\uDE00d", 4)).isEqualTo("ab…");
  }

  private static void assertRefused(Runnable call, String field) {
    assertThatThrownBy(call::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected " + field);
  }
}
