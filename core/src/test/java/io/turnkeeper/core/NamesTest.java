package io.turnkeeper.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void aPlainNameIsSafeEverywhere() {
    for (String name :
        List.of("a", "z", "A", "Z", "0", "9", "a.b", "a-b", "a_b", "x".repeat(128))) {
      assertThat(new ShardId(name).value()).isEqualTo(name);
    }
    for (String name :
        List.of("", ".", "..", "a/b", "a:b", "a@b", "a[b", "a`b", "a{b", "ä", "x".repeat(129))) {
      assertThatThrownBy(() -> new ShardId(name)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new PoolId(name)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> new ExecutorId(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTableIdIsAPathThatLeadsNowhereElse() {
    for (String name : List.of("a", "team/table", "straße", "x".repeat(255))) {
      assertThat(new TableId(name).value()).isEqualTo(name);
    }
    for (String name :
        List.of("", "/", "a//b", "a/", ".", "a/../b", "a\u0000b", "a\u0308", "x".repeat(256))) {
      assertThatThrownBy(() -> new TableId(name)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void reservedIdsNameNoTableAndOrderIsThatOfTheText() {
    assertThat(TableId.DEFAULT.isReserved()).isTrue();
    assertThat(new TableId("a_b").isReserved()).isFalse();
    assertThat(new TableId("a")).isLessThan(new TableId("b"));
    assertThat(new TableId("b")).isGreaterThan(new TableId("a"));
  }
}
