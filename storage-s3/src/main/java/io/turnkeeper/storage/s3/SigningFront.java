package io.turnkeeper.storage.s3;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.turnkeeper.events.storage.Moved;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/**
 * Stands on loopback between Lance and a store, and counts what completed requests moved: Lance
 * tells nothing of it, and what the system says of a process leaves out what comes from the net.
 * Each request is signed anew, with the credentials as they are then. So they may change while
 * Lance works, and Lance is given a key that is good for this front only.
 */
final class SigningFront implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(SigningFront.class);
  private static final int BUFFER = 64 << 10;
  private static final int NO_BODY = -1;
  private static final int FORBIDDEN = 403;
  private static final int NOT_IMPLEMENTED = 501;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** What is of one connection, or signed anew. */
  private static final Set<String> NOT_FORWARDED =
      Set.of(
          "host",
          "connection",
          "expect",
          "transfer-encoding",
          "authorization",
          "x-amz-date",
          "x-amz-content-sha256",
          "x-amz-security-token");

  private final String key = UUID.randomUUID().toString();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final ExecutorService pool = Executors.newCachedThreadPool(SigningFront::daemon);
  private final HttpServer server;
  private final SdkHttpClient client;
  private final AwsCredentialsProvider credentials;
  private final String region;
  private final Function<String, URI> bucketUri;

  /**
   * Begins to listen.
   *
   * @param bucketUri where a bucket is, without a slash at the end
   */
  SigningFront(
      SdkHttpClient client,
      AwsCredentialsProvider credentials,
      String region,
      Function<String, URI> bucketUri)
      throws IOException {
    this.client = client;
    this.credentials = credentials;
    this.region = region;
    this.bucketUri = bucketUri;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.setExecutor(pool);
    server.start();
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "storage-front");
    thread.setDaemon(true);
    return thread;
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The key that it takes, id and secret in one. */
  String key() {
    return key;
  }

  Moved moved() {
    return new Moved(read.get(), written.get());
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      if (!isOurs(exchange)) {
        exchange.sendResponseHeaders(FORBIDDEN, NO_BODY);
        return;
      }
      if (isFramed(exchange)) {
        exchange.sendResponseHeaders(NOT_IMPLEMENTED, NO_BODY);
        return;
      }
      forward(exchange);
    } catch (IOException | SdkException e) {
      // The connection ends, and whoever asked tries again or tells of it.
      LOGGER.atDebug().setCause(e).log("a request did not come through");
    }
  }

  /** Others on this machine can connect, too, and do not know the key. */
  private boolean isOurs(HttpExchange exchange) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    return authorization != null && authorization.contains("Credential=" + key + "/");
  }

  /** Signed piece by piece, which signed as a whole would be stored with its signatures. */
  private static boolean isFramed(HttpExchange exchange) {
    String hash = exchange.getRequestHeaders().getFirst("x-amz-content-sha256");
    return hash != null && hash.startsWith("STREAMING-");
  }

  private void forward(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getRawPath().substring(1).split("/", 2);
    boolean object = path.length == 2 && !path[1].isEmpty();
    SdkHttpRequest request = signed(exchange, path[0], object ? path[1] : "");
    HttpExecuteRequest.Builder call = HttpExecuteRequest.builder().request(request);
    long bytes = length(request.headers());
    if (bytes > 0) {
      call.contentStreamProvider(exchange::getRequestBody);
    }
    HttpExecuteResponse response = client.prepareRequest(call.build()).call();
    boolean counts = response.httpResponse().isSuccessful() && object;
    boolean get = request.method() == SdkHttpMethod.GET;
    if (counts && !get) {
      written.addAndGet(Math.max(0, bytes)); // Before the answer: whoever has it finds it counted.
    }
    long answered;
    try (InputStream body =
        response.responseBody().orElseGet(() -> AbortableInputStream.createEmpty())) {
      answered = answer(exchange, response, body);
    }
    if (counts && get) {
      read.addAndGet(answered);
    }
  }

  private SdkHttpRequest signed(HttpExchange exchange, String bucket, String object) {
    String query = exchange.getRequestURI().getRawQuery();
    URI uri =
        URI.create(
            bucketUri.apply(bucket)
                + (object.isEmpty() ? "" : "/" + object)
                + (query == null ? "" : "?" + query));
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.fromValue(exchange.getRequestMethod()))
            .uri(uri);
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT))) {
                request.putHeader(name, values);
              }
            });
    return signer
        .sign(
            sign ->
                sign.identity(credentials.resolveCredentials())
                    .request(request.build())
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                    // It is not read twice.
                    .putProperty(AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED, false))
        .request();
  }

  /** How many bytes the body of the answer had, all of which came through. */
  private static long answer(HttpExchange exchange, HttpExecuteResponse response, InputStream body)
      throws IOException {
    int status = response.httpResponse().statusCode();
    Map<String, List<String>> headers = response.httpResponse().headers();
    boolean head = exchange.getRequestMethod().equals("HEAD");
    headers.forEach(
        (name, values) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!NOT_FORWARDED.contains(lower) && (head || !lower.equals("content-length"))) {
            exchange.getResponseHeaders().put(name, values);
          }
        });
    if (head || status == NO_CONTENT || status == NOT_MODIFIED) {
      exchange.sendResponseHeaders(status, NO_BODY);
      return 0;
    }
    long length = length(headers);
    // For the server 0 is a body of unknown length.
    exchange.sendResponseHeaders(status, length == 0 ? NO_BODY : Math.max(0, length));
    long copied = length == 0 ? 0 : copy(body, exchange.getResponseBody());
    if (length > 0 && copied != length) {
      throw new IOException("expected a body of " + length + " bytes, but there came " + copied);
    }
    return copied;
  }

  /** The length of a body, negative if it is not told. */
  private static long length(Map<String, List<String>> headers) {
    return headers.entrySet().stream()
        .filter(header -> header.getKey().equalsIgnoreCase("content-length"))
        .mapToLong(header -> Long.parseLong(header.getValue().get(0)))
        .findFirst()
        .orElse(-1);
  }

  private static long copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long copied = 0;
    for (int bytes = from.read(buffer); bytes >= 0; bytes = from.read(buffer)) {
      to.write(buffer, 0, bytes);
      copied += bytes;
    }
    to.flush();
    return copied;
  }

  @Override
  public void close() {
    server.stop(0);
    pool.shutdownNow();
    client.close();
  }
}
