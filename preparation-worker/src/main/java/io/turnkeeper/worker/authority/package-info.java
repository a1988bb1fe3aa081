/** The authority in etcd, and what it takes to ask it exactly once. */
@NullMarked
package io.turnkeeper.worker.authority;

import org.jspecify.annotations.NullMarked;
