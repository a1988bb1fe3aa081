/**
 * Preparations in processes of their own, since native code can be neither stopped nor measured
 * inside a process that it shares.
 */
@NullMarked
package io.turnkeeper.worker.child;

import org.jspecify.annotations.NullMarked;
