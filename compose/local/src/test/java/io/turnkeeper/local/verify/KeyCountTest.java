package io.turnkeeper.local.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeyCountTest {
  private final KeyCount keys =
      new KeyCount(
          List.of(
              new SealRecord.Sealed("a", 1, 3, 0),
              new SealRecord.Sealed("a", 2, 1, 3),
              new SealRecord.Sealed("b", 1, 2, 0)));

  private void found(String prefix, long... numbers) {
    for (long number : numbers) {
      keys.found(RowId.bytes(prefix, number));
    }
  }

  @Test
  void everyRowOnce() {
    found("a", 3, 2, 1, 0);
    found("b", 0, 1);
    assertThat(keys.rowsSealed()).isEqualTo(6);
    assertThat(keys.rowsInTable()).isEqualTo(6);
    assertThat(keys.duplicateKeys() + keys.missingKeys() + keys.unknownKeys()).isZero();
  }

  @Test
  void missingDoubledAndUnknownRowsAreToldApart() {
    found("a", 0, 0, 0, 1, 4);
    found("c", 9);
    keys.found(new byte[] {1, 2});
    assertThat(keys.rowsInTable()).isEqualTo(7);
    assertThat(keys.duplicateKeys()).isEqualTo(2);
    assertThat(keys.missingKeys()).isEqualTo(4);
    assertThat(keys.unknownKeys()).isEqualTo(3);
  }
}
