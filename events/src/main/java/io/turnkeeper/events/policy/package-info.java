/** The policy document as JSON, as operators write it and its schema describes it. */
@NullMarked
package io.turnkeeper.events.policy;

import org.jspecify.annotations.NullMarked;
