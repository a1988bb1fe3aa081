/** Tables and logs in buckets. */
@NullMarked
package io.turnkeeper.storage.s3;

import org.jspecify.annotations.NullMarked;
