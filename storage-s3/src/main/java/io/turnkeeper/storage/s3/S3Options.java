package io.turnkeeper.storage.s3;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.profiles.ProfileFile;

/**
 * How a store is reached. None of this is a secret: it says where credentials are.
 *
 * @param region what requests are signed for; from the environment, or {@code us-east-1}
 * @param endpoint the store, null for that of AWS
 * @param pathStyle whether the bucket is named in the path instead of the host; as it is by default
 *     with an endpoint
 * @param credentials {@code default}, {@code environment}, or {@code file:PATH} for a file with
 *     {@code aws_access_key_id} and {@code aws_secret_access_key}, which may change at any time
 * @param profile the section of that file
 * @param timeout of one attempt at a request, besides the time that its bytes take
 */
record S3Options(
    String region,
    @Nullable URI endpoint,
    boolean pathStyle,
    String credentials,
    String profile,
    Duration timeout) {
  static final String REGION = "region";
  static final String ENDPOINT = "endpoint";

  /** Must be {@code true} for an endpoint that is not encrypted. */
  static final String ALLOW_HTTP = "allow_http";

  static final String PATH_STYLE = "path_style";
  static final String CREDENTIALS = "credentials";
  static final String PROFILE = "profile";

  /** In whole milliseconds. */
  static final String TIMEOUT = "timeout_ms";

  private static final Set<String> KNOWN =
      Set.of(REGION, ENDPOINT, ALLOW_HTTP, PATH_STYLE, CREDENTIALS, PROFILE, TIMEOUT);
  private static final String FILE = "file:";
  private static final String DEFAULT_TIMEOUT = "20000";

  /**
   * Reads options.
   *
   * @throws IllegalArgumentException naming the one that cannot be used
   */
  static S3Options of(SortedMap<String, String> options, Map<String, String> environment) {
    Set<String> unknown = new TreeSet<>(options.keySet());
    unknown.removeAll(KNOWN);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "expected only " + new TreeSet<>(KNOWN) + ", but there is " + unknown);
    }
    URI endpoint =
        endpoint(
            options.getOrDefault(
                ENDPOINT,
                environment.getOrDefault(
                    "AWS_ENDPOINT_URL_S3", environment.getOrDefault("AWS_ENDPOINT_URL", ""))),
            flag(options, ALLOW_HTTP, environment.getOrDefault("AWS_ALLOW_HTTP", "false")));
    return new S3Options(
        options.getOrDefault(
            REGION,
            environment.getOrDefault(
                "AWS_REGION", environment.getOrDefault("AWS_DEFAULT_REGION", "us-east-1"))),
        endpoint,
        flag(options, PATH_STYLE, Boolean.toString(endpoint != null)),
        credentials(options.getOrDefault(CREDENTIALS, "default")),
        options.getOrDefault(PROFILE, "default"),
        timeout(options.getOrDefault(TIMEOUT, DEFAULT_TIMEOUT)));
  }

  private static @Nullable URI endpoint(String value, boolean allowHttp) {
    if (value.isEmpty()) {
      return null;
    }
    URI endpoint = URI.create(value);
    boolean http = "http".equals(endpoint.getScheme());
    if (endpoint.getHost() == null || !(http || "https".equals(endpoint.getScheme()))) {
      throw new IllegalArgumentException(
          "expected http://HOST or https://HOST for " + ENDPOINT + ", but it is '" + value + "'");
    }
    if (http && !allowHttp) {
      throw new IllegalArgumentException(
          "expected https, or %s=true, for %s, but it is '%s'"
              .formatted(ALLOW_HTTP, ENDPOINT, value));
    }
    return endpoint;
  }

  private static boolean flag(SortedMap<String, String> options, String key, String standard) {
    String value = options.getOrDefault(key, standard);
    if (!value.equals("true") && !value.equals("false")) {
      throw new IllegalArgumentException(
          "expected true or false for " + key + ", but it is '" + value + "'");
    }
    return value.equals("true");
  }

  private static String credentials(String value) {
    if (!value.equals("default") && !value.equals("environment") && !value.startsWith(FILE)) {
      // Not shown: somebody may have written the secret itself.
      throw new IllegalArgumentException(
          "expected 'default', 'environment' or '" + FILE + "PATH' for " + CREDENTIALS);
    }
    return value;
  }

  private static Duration timeout(String value) {
    try {
      long millis = Long.parseLong(value);
      if (millis > 0) {
        return Duration.ofMillis(millis);
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(timeoutExpected(value), e);
    }
    throw new IllegalArgumentException(timeoutExpected(value));
  }

  private static String timeoutExpected(String value) {
    return "expected milliseconds above 0 for " + TIMEOUT + ", but it is '" + value + "'";
  }

  /** What gives the credentials, each time anew. */
  AwsCredentialsProvider credentialsProvider() {
    if (credentials.startsWith(FILE)) {
      Path file = Path.of(credentials.substring(FILE.length()));
      return () -> read(file);
    }
    return credentials.equals("environment")
        ? EnvironmentVariableCredentialsProvider.create()
        : DefaultCredentialsProvider.builder().build();
  }

  /** The file is small, and whoever replaces what is in it wants that to count at once. */
  private AwsCredentials read(Path file) {
    return ProfileCredentialsProvider.builder()
        .profileFile(ProfileFile.builder().content(file).type(ProfileFile.Type.CREDENTIALS).build())
        .profileName(profile)
        .build()
        .resolveCredentials();
  }
}
