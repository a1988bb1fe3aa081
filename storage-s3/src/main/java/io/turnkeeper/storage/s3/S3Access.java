package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.Moved;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageAccess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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
  private final boolean counted;

  /** Between Lance and the store where it is counted what Lance moves, from its first use on. */
  private @Nullable SigningFront front;

  private S3Access(S3Options options, int pageSize, boolean counted) {
    this.options = options;
    this.pageSize = pageSize;
    this.counted = counted;
    this.credentials = options.credentialsProvider();
    this.client = client();
  }

  static S3Access with(S3Options options) {
    return new S3Access(options, PAGE, false);
  }

  /** One that counts what Lance moves. */
  static S3Access counted(S3Options options) {
    return new S3Access(options, PAGE, true);
  }

  /** One that lists in smaller pages. */
  static S3Access with(S3Options options, int pageSize) {
    return new S3Access(options, pageSize, false);
  }

  private S3Client client() {
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(options.region()))
            .forcePathStyle(options.pathStyle())
            .credentialsProvider(credentials)
            .overrideConfiguration(config -> config.retryStrategy(r -> r.maxAttempts(ATTEMPTS)))
            // The client that the JDK brings takes half a body for a whole one.
            .httpClientBuilder(http());
    URI endpoint = options.endpoint();
    if (endpoint != null) {
      builder
          .endpointOverride(endpoint)
          // Other stores than AWS keep no checksums, and some keep framing as content.
          .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
          .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
          .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    }
    return builder.build();
  }

  private Apache5HttpClient.Builder http() {
    return Apache5HttpClient.builder()
        .maxConnections(MAX_CONNECTIONS)
        .connectionTimeout(CONNECT)
        .socketTimeout(options.timeout());
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

  /** What Lance moved, if that is counted. */
  synchronized Optional<Moved> moved() {
    return counted ? Optional.of(front == null ? Moved.NOTHING : front.moved()) : Optional.empty();
  }

  /** The same store for Lance: through the front, or with the credentials as they are now. */
  Map<String, String> lanceOptions() throws IOException {
    return counted ? throughFront(front()) : direct();
  }

  private synchronized SigningFront front() throws IOException {
    if (front == null) {
      front = new SigningFront(http().build(), credentials, options.region(), this::bucketUri);
    }
    return front;
  }

  private URI bucketUri(String bucket) {
    String object = "/object";
    String uri =
        client.utilities().getUrl(url -> url.bucket(bucket).key(object.substring(1))).toString();
    return URI.create(uri.substring(0, uri.length() - object.length()));
  }

  private Map<String, String> throughFront(SigningFront through) {
    return Map.of(
        "aws_region",
        options.region(),
        "aws_endpoint",
        through.endpoint().toString(),
        "allow_http",
        "true",
        "aws_virtual_hosted_style_request",
        "false",
        "aws_access_key_id",
        through.key(),
        "aws_secret_access_key",
        through.key());
  }

  private Map<String, String> direct() throws IOException {
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
  public synchronized void close() {
    if (front != null) {
      front.close();
    }
    client.close();
  }

  @Override
  public String toString() {
    return options.toString();
  }
}
