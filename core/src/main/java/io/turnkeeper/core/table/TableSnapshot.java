package io.turnkeeper.core.table;

import io.turnkeeper.core.Require;
import org.jspecify.annotations.Nullable;

/**
 * A table's whole state as it is published for readers.
 *
 * @param sequence the journal entry it is the state after, within the table's partition
 * @param digest SHA-256 of the encoded state, in hexadecimal
 * @param admission what writers are told; null if the policy says to tell them nothing
 */
public record TableSnapshot(
    long sequence, String digest, TableState state, @Nullable Admission admission) {
  public TableSnapshot {
    Require.positive("sequence", sequence);
    Require.text("digest", digest);
  }
}
