/** An S3 server on loopback, for tests and the demo. */
@NullMarked
package io.turnkeeper.s3server;

import org.jspecify.annotations.NullMarked;
