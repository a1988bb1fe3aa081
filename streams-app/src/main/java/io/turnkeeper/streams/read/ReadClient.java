package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.streams.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Asks one instance, again while it says that this may help. */
final class ReadClient {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final long PAUSE_MILLIS = 250;

  /** Problems that lie with the name that was given, and not with who was asked. */
  private static final Set<String> OF_THE_ASKER =
      Set.of(
          Problem.Code.NO_SUCH_TABLE.name(),
          Problem.Code.NO_SUCH_POOL.name(),
          Problem.Code.BAD_REQUEST.name());

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
   * @throws ConfigException if what was asked for is not there
   * @throws ReadFailedException if nobody answers, or not with what was asked for
   */
  JsonNode get(String path) throws InterruptedException, ConfigException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      HttpResponse<byte[]> response = send(path);
      JsonNode body = json(response);
      if (response.statusCode() == 200) {
        return body;
      }
      if (!body.path("retryable").asBoolean() || System.nanoTime() > deadline) {
        String code = body.path("code").asText();
        String message = code + ": " + body.path("detail").asText();
        if (OF_THE_ASKER.contains(code)) {
          throw new ConfigException(message);
        }
        throw new ReadFailedException(message);
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
