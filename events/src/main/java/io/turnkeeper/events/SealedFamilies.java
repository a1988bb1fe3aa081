package io.turnkeeper.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which records an interface stands for. A sealed interface says so itself; interfaces whose
 * records live in several packages cannot be sealed and are listed here.
 *
 * @param open for each open interface, the sealed interfaces and records it stands for
 */
record SealedFamilies(Map<Class<?>, List<Class<?>>> open) {
  SealedFamilies {
    open = Map.copyOf(open);
  }

  boolean isFamily(Class<?> type) {
    return type.isSealed() || open.containsKey(type);
  }

  /** Every record of the family, depth first in the order of declaration. */
  List<Class<?>> recordsOf(Class<?> family) {
    List<Class<?>> records = new ArrayList<>();
    collect(family, records);
    return records;
  }

  private void collect(Class<?> type, List<Class<?>> into) {
    if (type.isRecord()) {
      into.add(type);
      return;
    }
    List<Class<?>> members = open.get(type);
    if (members == null && type.isSealed()) {
      members = List.of(type.getPermittedSubclasses());
    }
    if (members == null) {
      throw new IllegalStateException(
          "expected " + type.getName() + " to be a record, sealed or listed, but it is not");
    }
    members.forEach(member -> collect(member, into));
  }
}
