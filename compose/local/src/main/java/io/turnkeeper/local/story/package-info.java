/** What the journal and the decisions tell, gathered for people: units, turns, waits and holds. */
@NullMarked
package io.turnkeeper.local.story;

import org.jspecify.annotations.NullMarked;
