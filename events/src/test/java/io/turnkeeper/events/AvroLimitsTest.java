package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.avro.SystemLimitException;
import org.apache.avro.util.ClassSecurityValidator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AvroLimitsTest {
  @BeforeAll
  static void apply() {
    AvroLimits.apply();
  }

  @Test
  void avroAllocatesNoMoreThanTheLimits() {
    assertThatCode(() -> SystemLimitException.checkMaxStringLength(AvroLimits.MAX_STRING_BYTES))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () -> SystemLimitException.checkMaxStringLength(AvroLimits.MAX_STRING_BYTES + 1L))
        .isInstanceOf(SystemLimitException.class);
    assertThatThrownBy(
            () -> SystemLimitException.checkMaxBytesLength(AvroLimits.MAX_BYTES_LENGTH + 1L))
        .isInstanceOf(SystemLimitException.class);
    assertThatThrownBy(
            () -> SystemLimitException.checkMaxCollectionLength(AvroLimits.MAX_COLLECTION_ITEMS, 1))
        .isInstanceOf(SystemLimitException.class);
  }

  @Test
  void avroMakesOnlyOurGeneratedClasses() {
    assertThatCode(() -> ClassSecurityValidator.validate(io.turnkeeper.schemas.WalSealed.class))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ClassSecurityValidator.validate(ProcessBuilder.class))
        .isInstanceOf(SecurityException.class);
  }
}
