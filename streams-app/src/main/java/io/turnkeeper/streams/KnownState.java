package io.turnkeeper.streams;

/**
 * What a state is known to be after an entry.
 *
 * @param where who knows it, for people
 * @param pool whether it is of the pools' half
 * @param key the table or pool, or the reserved key of the partition itself
 * @param sequence the entry
 * @param digest SHA-256 of the encoded state
 */
public record KnownState(
    String where, boolean pool, int partition, String key, long sequence, String digest) {}
