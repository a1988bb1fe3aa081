package io.turnkeeper.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class S3OptionsTest {
  private static final Map<String, String> NOTHING = Map.of();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path dir;

  private static S3Options of(Map<String, String> options, Map<String, String> environment) {
    return S3Options.of(new TreeMap<>(options), environment);
  }

  @Test
  void nothingIsNeededForAws() {
    S3Options options = of(NOTHING, NOTHING);
    assertThat(options.endpoint()).isNull();
    assertThat(options.pathStyle()).isFalse();
    assertThat(options.region()).isEqualTo("us-east-1");
  }

  @Test
  void whatIsGivenComesBeforeTheEnvironment() {
    Map<String, String> environment =
        Map.of("AWS_REGION", "eu-north-1", "AWS_ENDPOINT_URL", "https://store.example");
    assertThat(of(NOTHING, environment).region()).isEqualTo("eu-north-1");
    assertThat(of(NOTHING, environment).endpoint()).isEqualTo(URI.create("https://store.example"));
    assertThat(of(NOTHING, environment).pathStyle()).isTrue();
    assertThat(of(Map.of("region", "eu-west-1"), environment).region()).isEqualTo("eu-west-1");
  }

  @Test
  void whatIsNotEncryptedMustBeAllowed() {
    assertThatThrownBy(() -> of(Map.of("endpoint", "http://store"), NOTHING))
        .hasMessageContaining("allow_http");
    assertThat(of(Map.of("endpoint", "http://store", "allow_http", "true"), NOTHING).endpoint())
        .isEqualTo(URI.create("http://store"));
  }

  @Test
  void whatIsUnknownOrWrongIsRefusedByName() {
    assertRefused("colour", "red");
    assertRefused("endpoint", "store.example");
    assertRefused("path_style", "yes");
    assertRefused("timeout_ms", "-1");
    assertRefused("timeout_ms", "soon");
    assertRefused("credentials", "AKIA");
  }

  @Test
  void aSecretInTheWrongPlaceIsNotShown() {
    assertThatThrownBy(() -> of(Map.of("credentials", "wJalrXUtnFEMI"), NOTHING))
        .hasMessageNotContaining("wJalrXUtnFEMI");
  }

  private static void assertRefused(String key, String value) {
    assertThatThrownBy(() -> of(Map.of(key, value), NOTHING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  @Test
  void credentialsOfAFileAreReadAnewWhenTheyChange() throws IOException {
    Path file = dir.resolve("credentials");
    write(file, "first", 1_000_000);
    S3Options options = of(Map.of("credentials", "file:" + file), NOTHING);
    var provider = options.credentialsProvider();
    assertThat(provider.resolveCredentials().accessKeyId()).isEqualTo("first");
    write(file, "second", 2_000_000);
    assertThat(provider.resolveCredentials().accessKeyId()).isEqualTo("second");
  }

  private static void write(Path file, String keyId, long modifiedMillis) throws IOException {
    Files.writeString(
        file, "[default]\naws_access_key_id=" + keyId + "\naws_secret_access_key=secret\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMillis));
  }

  @Test
  void lanceIsToldTheSame() throws IOException {
    Path file = dir.resolve("credentials");
    write(file, "key", 1_000_000);
    try (S3Access access =
        S3Access.with(
            of(
                Map.of(
                    "credentials", "file:" + file,
                    "endpoint", "http://store:9000",
                    "allow_http", "true",
                    "region", "eu-west-1"),
                NOTHING))) {
      assertThat(access.at("s3://bucket/table").lanceOptions())
          .containsEntry("aws_access_key_id", "key")
          .containsEntry("aws_secret_access_key", "secret")
          .containsEntry("aws_endpoint", "http://store:9000")
          .containsEntry("aws_region", "eu-west-1")
          .containsEntry("allow_http", "true")
          .containsEntry("aws_virtual_hosted_style_request", "false");
    }
  }

  @Test
  void noSecretIsInWhatIsPrinted() throws IOException {
    Path file = dir.resolve("credentials");
    write(file, "key", 1_000_000);
    S3Options options = of(Map.of("credentials", "file:" + file), NOTHING);
    try (S3Access access = S3Access.with(options)) {
      assertThat(options + " " + access + " " + access.at("s3://bucket/table"))
          .doesNotContain("secret");
    }
  }
}
