/** The worker process: it follows its assignments and runs units of work. */
@NullMarked
package io.turnkeeper.worker;

import org.jspecify.annotations.NullMarked;
