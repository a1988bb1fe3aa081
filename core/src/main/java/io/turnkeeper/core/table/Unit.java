package io.turnkeeper.core.table;

record Unit(long sequence) {
  Unit claimed(Object o) {
    return this;
  }

  Unit handedBack(Object o) {
    return this;
  }

  Unit planned(Object o, Object p) {
    return this;
  }

  Unit progressed(long o, Object p) {
    return this;
  }

  Unit ready(Object o, Object p) {
    return this;
  }
}
