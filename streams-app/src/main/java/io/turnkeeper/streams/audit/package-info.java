/** Commands that read what happened: the journal, its replay, its proofs, what was rejected. */
@NullMarked
package io.turnkeeper.streams.audit;

import org.jspecify.annotations.NullMarked;
