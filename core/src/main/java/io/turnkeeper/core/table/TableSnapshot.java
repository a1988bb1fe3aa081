package io.turnkeeper.core.table;

import io.turnkeeper.core.Require;

/**
 * A table's whole state as it is published for readers.
 *
 * @param sequence the journal entry it is the state after, within the table's partition
 * @param digest SHA-256 of the encoded state, in hexadecimal
 */
public record TableSnapshot(long sequence, String digest, TableState state) {
  public TableSnapshot {
    Require.positive("sequence", sequence);
    Require.text("digest", digest);
  }
}
