package io.turnkeeper.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.events.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3PlaceTest {
  @Test
  void aPlaceHasOneSpelling() {
    S3Place place = S3Place.of("S3://my-bucket/a/b.lance//");
    assertThat(place).isEqualTo(new S3Place("my-bucket", "a/b.lance"));
    assertThat(place.uri()).isEqualTo("s3://my-bucket/a/b.lance");
    assertThat(place.nameOf(place.keyOf("data/x"))).isEqualTo("data/x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3://bucket",
        "s3://bucket/",
        "s3:///key",
        "s3://Bucket/key",
        "s3://bucket/a//b",
        "s3://bucket/a/../b",
        "s3://bucket/./a",
        "s3://bucket/a%20b",
        "s3://bucket/a b",
        "s3://bucket/ü",
        "s3://user:secret@bucket/key",
        "s3://bucket/a?b",
        "/bucket/key"
      })
  void whatCouldBeUnderstoodInTwoWaysIsRefused(String uri) {
    assertThatThrownBy(() -> S3Place.of(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void theStorageOfAnS3UriIsFoundByItsScheme() {
    assertThat(Storage.at("s3://bucket/table/").location()).isEqualTo("s3://bucket/table");
    assertThatThrownBy(() -> Storage.at("gs://bucket/table"))
        .hasMessage("expected a local path, or a URI of file, s3, but it is 'gs://bucket/table'");
  }
}
