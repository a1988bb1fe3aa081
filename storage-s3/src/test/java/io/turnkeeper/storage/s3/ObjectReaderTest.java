package io.turnkeeper.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

class ObjectReaderTest {
  @Test
  void aBodyThatEndsEarlyIsAskedForAgain() {
    assertThatThrownBy(() -> ObjectReader.whole(response(10, "bytes 0-9/99"), body(9), 10))
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining("expected 10 bytes, but there came 9");
  }

  @Test
  void ofAStoreThatSendsEverythingOnlyThePartIsTaken() {
    ObjectReader.Part part = ObjectReader.whole(response(1_000, null), body(1_000), 10);
    assertThat(part.content().limit()).isEqualTo(10);
    assertThat(part.objectBytes()).isEqualTo(1_000);
  }

  @Test
  void theSizeIsThatOfTheWhole() {
    ObjectReader.Part part = ObjectReader.whole(response(10, "bytes 0-9/99"), body(10), 10);
    assertThat(part.objectBytes()).isEqualTo(99);
  }

  private static GetObjectResponse response(long bytes, @Nullable String range) {
    return GetObjectResponse.builder()
        .contentLength(bytes)
        .contentRange(range)
        .lastModified(Instant.EPOCH)
        .build();
  }

  private static AbortableInputStream body(int bytes) {
    return AbortableInputStream.create(new ByteArrayInputStream(new byte[bytes]));
  }
}
