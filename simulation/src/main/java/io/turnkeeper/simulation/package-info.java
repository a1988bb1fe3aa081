/** Many seeded lives of a small fleet under virtual time, with everything going wrong that can. */
@NullMarked
package io.turnkeeper.simulation;

import org.jspecify.annotations.NullMarked;
