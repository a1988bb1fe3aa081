package io.turnkeeper.worker.wal;

/** What a complete generation holds. */
public record GenerationSize(long bytes, long rows, long batches) {}
