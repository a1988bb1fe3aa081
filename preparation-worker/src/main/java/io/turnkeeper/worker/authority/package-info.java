/**
 * The authority: who may commit to a table, and which version is its newest. The interface knows
 * nothing of etcd.
 */
@NullMarked
package io.turnkeeper.worker.authority;

import org.jspecify.annotations.NullMarked;
