/** Runs history under another policy, by the scheduler's own rules and simulated executors. */
@NullMarked
package io.turnkeeper.streams.backtest;

import org.jspecify.annotations.NullMarked;
