/**
 * One class for each kind of work. What a kind prepares needs no authority; what it publishes is
 * validated and committed under a turn.
 */
@NullMarked
package io.turnkeeper.worker.work;

import org.jspecify.annotations.NullMarked;
