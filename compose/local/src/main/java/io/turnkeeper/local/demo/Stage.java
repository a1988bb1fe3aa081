package io.turnkeeper.local.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Which part of the demo runs, how far it is, and how long each part took. */
final class Stage {
  private final Map<String, Long> millisByName = new LinkedHashMap<>();
  private String name = "starting";
  private DoubleSupplier fraction = () -> 0;
  private long beganNanos = System.nanoTime();

  /** The part that runs, with {@code fraction} from 0 to 1. */
  record Current(String name, double fraction, long seconds) {}

  /** Ends the part that runs and begins the next. */
  synchronized void next(String following, DoubleSupplier itsFraction) {
    long now = System.nanoTime();
    millisByName.put(name, (now - beganNanos) / 1_000_000);
    name = following;
    fraction = itsFraction;
    beganNanos = now;
  }

  synchronized Current current() {
    return new Current(
        name,
        Math.max(0, Math.min(1, fraction.getAsDouble())),
        (System.nanoTime() - beganNanos) / 1_000_000_000);
  }

  /** How long each part took that has ended. */
  synchronized Map<String, Long> millisByName() {
    return new LinkedHashMap<>(millisByName);
  }
}
