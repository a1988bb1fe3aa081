package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrashSwitchTest {

  @Test
  void withoutThePropertyNothingHappens() {
    assertThat(CrashSwitch.fromSystemProperty()).isSameAs(StepListener.NONE);
  }

  @Test
  void otherStepsAndKindsGoOn() {
    StepListener crash = CrashSwitch.haltingAt("index:committed", () -> true);

    crash.reached(Kind.INDEX, UnitStep.STAGED);
    crash.reached(Kind.COMPACT, UnitStep.COMMITTED);
  }

  @Test
  void untilItIsArmedItGoesOn() {
    CrashSwitch.haltingAt("INDEX:COMMITTED", () -> false).reached(Kind.INDEX, UnitStep.COMMITTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "INDEX", "INDEX:", "INDEX:NEVER", "NOTHING:CLAIMED", "A:B:C"})
  void whatNamesNoStepIsRefused(String value) {
    assertThatThrownBy(() -> CrashSwitch.haltingAt(value, () -> true))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(CrashSwitch.PROPERTY)
        .hasMessageContaining("'" + value + "'");
  }
}
