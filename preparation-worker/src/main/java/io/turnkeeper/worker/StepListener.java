package io.turnkeeper.worker;

import io.turnkeeper.core.Kind;

/** Told of every step of every unit before the next one begins. */
@FunctionalInterface
public interface StepListener {
  /** Does nothing at any step. */
  StepListener NONE = (kind, step) -> {};

  /** Called on the thread that did the step, which may be a native one. */
  void reached(Kind kind, UnitStep step);
}
