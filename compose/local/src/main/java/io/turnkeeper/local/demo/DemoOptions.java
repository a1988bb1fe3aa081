package io.turnkeeper.local.demo;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a demo is to do.
 *
 * @param tables where the table and its log lie, a path or a URI
 * @param data the Arrow file whose rows are written
 * @param indexRows how many generated rows are loaded first
 * @param writeTime how long the writers write
 * @param terminal whether the output can be redrawn in place
 */
record DemoOptions(
    String tables, Path data, long indexRows, Duration writeTime, boolean terminal) {}
