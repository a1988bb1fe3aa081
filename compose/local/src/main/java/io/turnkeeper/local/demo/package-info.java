/**
 * The demo: real rows go in by two writers, a table is kept in shape, and everything is checked.
 */
@NullMarked
package io.turnkeeper.local.demo;

import org.jspecify.annotations.NullMarked;
