package io.turnkeeper.local.verify;

import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts every key of a full scan against what the writers sealed, one bit for each key. */
final class KeyCount {
  private final SortedMap<String, Keys> byPrefix = new TreeMap<>();
  private long rows;
  private long unknown;

  private static final class Keys {
    final BitSet sealed = new BitSet();
    final BitSet found = new BitSet();
    long duplicates;
  }

  KeyCount(List<SealRecord.Sealed> record) {
    for (SealRecord.Sealed sealed : record) {
      byPrefix
          .computeIfAbsent(sealed.shard(), prefix -> new Keys())
          .sealed
          .set(
              Math.toIntExact(sealed.firstNumber()),
              Math.toIntExact(sealed.firstNumber() + sealed.rows()));
    }
  }

  /** Counts one row of the table. */
  void found(byte[] id) {
    rows++;
    long number = RowId.number(id);
    if (number < 0 || number > Integer.MAX_VALUE) {
      unknown++;
      return;
    }
    Keys keys = byPrefix.computeIfAbsent(RowId.prefix(id), prefix -> new Keys());
    if (keys.found.get((int) number)) {
      keys.duplicates++;
    }
    keys.found.set((int) number);
  }

  long rowsSealed() {
    return byPrefix.values().stream().mapToLong(keys -> keys.sealed.cardinality()).sum();
  }

  long rowsInTable() {
    return rows;
  }

  long duplicateKeys() {
    return byPrefix.values().stream().mapToLong(keys -> keys.duplicates).sum();
  }

  long missingKeys() {
    return byPrefix.values().stream().mapToLong(keys -> difference(keys.sealed, keys.found)).sum();
  }

  /** Rows whose key no writer sealed. */
  long unknownKeys() {
    return unknown
        + byPrefix.values().stream().mapToLong(keys -> difference(keys.found, keys.sealed)).sum();
  }

  private static long difference(BitSet from, BitSet without) {
    BitSet rest = (BitSet) from.clone();
    rest.andNot(without);
    return rest.cardinality();
  }
}
