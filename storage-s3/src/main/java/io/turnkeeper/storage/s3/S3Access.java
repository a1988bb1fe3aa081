package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageAccess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** The connections to one store, with the deadlines of its requests. */
final class S3Access implements StorageAccess {
  /** The answers of one listing, as large as the store makes them. */
  static final int PAGE = 1_000;

  private static final int MAX_CONNECTIONS = 64;
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /** Tries of one request before its deadline; what is known to fail for ever is tried once. */
  private static final int ATTEMPTS = 4;

  /** What moves slower than this is taken for stuck. */
  private static final long LEAST_BYTES_PER_SECOND = 1 << 20;

  private final S3Options options;
  private final AwsCredentialsProvider credentials;
  private final S3Client client;
  private final int pageSize;

  private S3Access(S3Options options, int pageSize) {
    this.options = options;
    this.pageSize = pageSize;
    this.credentials = options.credentialsProvider();
    this.client = client();
  }

  static S3Access with(S3Options options) {
    return new S3Access(options, PAGE);
  }

  /** One that lists in smaller pages. */
  static S3Access with(S3Options options, int pageSize) {
    return new S3Access(options, pageSize);
  }

  private S3Client client() {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(options.region()))
            .forcePathStyle(options.pathStyle())
            .credentialsProvider(credentials)
            .overrideConfiguration(config -> config.retryStrategy(r -> r.maxAttempts(ATTEMPTS)))
            // The client that the JDK brings takes half a body for a whole one.
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(MAX_CONNECTIONS)
                    .connectionTimeout(CONNECT)
                    .socketTimeout(options.timeout()));
    URI endpoint = options.endpoint();
    if (endpoint != null) {
      builder
          .endpointOverride(endpoint)
          // Other stores than AWS keep no checksums, and some keep their framing as content.
          .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
          .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    }
    return builder.build();
  }

  @Override
  public Storage at(String uri) {
    return new S3Storage(this, S3Place.of(uri));
  }

  S3Client s3() {
    return client;
  }

  int pageSize() {
    return pageSize;
  }

  /** Bounds a request that moves that many bytes, and all attempts at it. */
  void bound(AwsRequestOverrideConfiguration.Builder request, long bytes) {
    Duration attempt = options.timeout().plus(Duration.ofSeconds(bytes / LEAST_BYTES_PER_SECOND));
    request.apiCallAttemptTimeout(attempt).apiCallTimeout(attempt.multipliedBy(ATTEMPTS));
  }

  /** The same store for Lance, with the credentials as they are now. */
  Map<String, String> lanceOptions() throws IOException {
    Map<String, String> lance = new TreeMap<>();
    // Without region and both keys it would ask the network for them.
    lance.put("aws_region", options.region());
    lance.put("aws_virtual_hosted_style_request", Boolean.toString(!options.pathStyle()));
    URI endpoint = options.endpoint();
    if (endpoint != null) {
      lance.put("aws_endpoint", endpoint.toString());
      lance.put("allow_http", Boolean.toString("http".equals(endpoint.getScheme())));
    }
    try {
      AwsCredentials now = credentials.resolveCredentials();
      lance.put("aws_access_key_id", now.accessKeyId());
      lance.put("aws_secret_access_key", now.secretAccessKey());
      if (now instanceof AwsSessionCredentials session) {
        lance.put("aws_session_token", session.sessionToken());
      }
    } catch (SdkException e) {
      throw S3Errors.translated("credentials", e);
    }
    return lance;
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return options.toString();
  }
}
