package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one entry comes to for one subject, worked out completely before anything is written.
 *
 * @param encoded the state's bytes, null if it did not change
 * @param decisions what was decided, in order
 * @param nextDueMillis when to look again although nothing happened
 */
@SuppressWarnings("ArrayRecordComponent") // Handed to the store as it is; never compared.
record Conclusion<S>(
    String key,
    S state,
    byte @Nullable [] encoded,
    List<? extends Decided<? extends Decision>> decisions,
    long nextDueMillis) {}
