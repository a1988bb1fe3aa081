@NullMarked
package io.turnkeeper.worker.work;

import org.jspecify.annotations.NullMarked;
