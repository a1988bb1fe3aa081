/** Everything in one process: broker, etcd, scheduler and worker, and the demo that checks them. */
@NullMarked
package io.turnkeeper.local;

import org.jspecify.annotations.NullMarked;
