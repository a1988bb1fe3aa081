/** Carries the authority's word into Lance: no version of a table exists without its turn. */
@NullMarked
package io.turnkeeper.worker.fence;

import org.jspecify.annotations.NullMarked;
