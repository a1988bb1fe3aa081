package io.turnkeeper.worker;

import io.turnkeeper.core.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fault-injection switch for tests: with the system property {@code
 * turnkeeper.crash.at=<KIND>:<STEP>}, for example {@code INDEX:COMMITTED}, the process ends at once
 * (exit code 137, no shutdown hooks) when a unit of that kind first reaches that step. With {@code
 * turnkeeper.crash.armed=<FILE>} as well, only once that file exists. Without the first property
 * nothing ever happens.
 */
public final class CrashSwitch {
  public static final String PROPERTY = "turnkeeper.crash.at";
  public static final String ARMED_PROPERTY = "turnkeeper.crash.armed";

  private static final Logger LOGGER = LoggerFactory.getLogger(CrashSwitch.class);
  private static final int KILLED = 137;

  private CrashSwitch() {}

  /**
   * What the property asks for.
   *
   * @throws ConfigException if it names no kind and step
   */
  public static StepListener fromSystemProperty() {
    String value = System.getProperty(PROPERTY);
    String armed = System.getProperty(ARMED_PROPERTY);
    if (value == null) {
      return StepListener.NONE;
    }
    return haltingAt(value, () -> armed == null || Files.exists(Path.of(armed)));
  }

  static StepListener haltingAt(String value, BooleanSupplier armed) {
    try {
      String[] parts = value.toUpperCase(Locale.ROOT).split(":", -1);
      if (parts.length == 2) {
        Kind kind = Kind.valueOf(parts[0]);
        UnitStep step = UnitStep.valueOf(parts[1]);
        return (reachedKind, reachedStep) -> {
          if (reachedKind == kind && reachedStep == step && armed.getAsBoolean()) {
            LOGGER.atError().addKeyValue("step", value).log("ending the process as asked");
            Runtime.getRuntime().halt(KILLED);
          }
        };
      }
    } catch (IllegalArgumentException e) {
      throw new ConfigException(PROPERTY, value, "a kind and a step as in INDEX:COMMITTED", e);
    }
    throw new ConfigException(PROPERTY, value, "a kind and a step as in INDEX:COMMITTED");
  }
}
