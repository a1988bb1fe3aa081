package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import java.util.List;

/**
 * What one entry comes to for one subject.
 *
 * @param state the state after the entry and its decisions
 * @param changed whether that is another one than before, and so is kept
 * @param isNews whether readers are to see it at once
 * @param decisions what was decided, in order
 */
record Conclusion<S>(
    String key,
    S state,
    boolean changed,
    boolean isNews,
    List<? extends Decided<? extends Decision>> decisions) {}
