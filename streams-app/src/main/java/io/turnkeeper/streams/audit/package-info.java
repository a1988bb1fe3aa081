/** Commands that read what happened: the journal, its replay and its proofs. */
@NullMarked
package io.turnkeeper.streams.audit;

import org.jspecify.annotations.NullMarked;
