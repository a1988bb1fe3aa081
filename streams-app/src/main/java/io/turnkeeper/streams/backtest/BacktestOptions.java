package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a backtest.
 *
 * @param policy the document that holds from the beginning
 * @param replaced whose policy it replaces: {@link TableId#DEFAULT} or one table
 * @param fromMillis when it begins to hold; null for the beginning of history
 * @param untilMillis the end; null for the end of history
 */
public record BacktestOptions(
    PolicyDocument policy,
    TableId replaced,
    @Nullable Long fromMillis,
    @Nullable Long untilMillis) {}
