@NullMarked
package io.turnkeeper.worker;

import org.jspecify.annotations.NullMarked;
