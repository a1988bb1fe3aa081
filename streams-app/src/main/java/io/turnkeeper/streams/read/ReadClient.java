package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Asks one instance, again while it says that this may help. */
final class ReadClient {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long PAUSE_MILLIS = 250;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final URI server;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_LIMIT)
          .build();

  ReadClient(URI server) {
    this.server = server;
  }

  /** A segment of a path. */
  static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /**
   * What is under {@code path}.
   *
   * @throws ReadFailedException if there is nothing, or nobody answers
   */
  JsonNode get(String path) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      HttpResponse<byte[]> response = send(path);
      JsonNode body = json(response);
      if (response.statusCode() == 200) {
        return body;
      }
      if (!body.path("retryable").asBoolean() || System.nanoTime() > deadline) {
        throw new ReadFailedException(
            body.path("code").asText() + ": " + body.path("detail").asText());
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private HttpResponse<byte[]> send(String path) throws InterruptedException {
    URI uri = URI.create(server + path);
    try {
      return client.send(
          HttpRequest.newBuilder(uri).timeout(ReadEndpoint.LIMIT.multipliedBy(2)).GET().build(),
          BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new ReadFailedException("no scheduler answers at " + server + ": " + e, e);
    }
  }

  private JsonNode json(HttpResponse<byte[]> response) {
    try {
      return MAPPER.readTree(response.body());
    } catch (IOException e) {
      throw new ReadFailedException("what answers at " + server + " is no scheduler", e);
    }
  }
}
