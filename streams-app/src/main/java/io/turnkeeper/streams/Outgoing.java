package io.turnkeeper.streams;

/**
 * A record that follows from a decision.
 *
 * @param sink the name of the sink node
 * @param key the record's key
 * @param value a record the codec knows
 * @param ownPartition whether it goes to the task's own partition rather than where its key hashes
 */
record Outgoing(String sink, String key, Object value, boolean ownPartition) {}
