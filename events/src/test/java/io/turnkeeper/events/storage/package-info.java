@NullMarked
package io.turnkeeper.events.storage;

import org.jspecify.annotations.NullMarked;
