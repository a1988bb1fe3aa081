/** The words the rules, the wire and the workers share: identifiers, kinds, codes and time. */
@NullMarked
package io.turnkeeper.core;

import org.jspecify.annotations.NullMarked;
