package io.turnkeeper.simulation.table;

import io.turnkeeper.core.ShardId;

/** The rows of one sealed generation. */
public record Piece(ShardId shard, long generation) {}
