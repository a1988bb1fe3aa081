/**
 * The authority: who may commit to a table, and which version is its newest. Nothing here knows
 * what an authority is made of.
 */
@NullMarked
package io.turnkeeper.authority;

import org.jspecify.annotations.NullMarked;
