package io.turnkeeper.streams;

/**
 * What the tasks of one half, tables or pools, have to do with the world outside their topology.
 *
 * @param journalEnd how far the journals are
 * @param inputs what there is to be read
 * @param open told which partitions of the store can be read
 */
record Half(JournalEnd journalEnd, InputLog inputs, OpenStores open) {}
