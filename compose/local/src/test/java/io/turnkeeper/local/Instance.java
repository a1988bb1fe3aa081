package io.turnkeeper.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.SchedulerConfig;
import io.turnkeeper.streams.Sharing;
import io.turnkeeper.streams.read.ReadEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** One of several instances of a scheduler in this process, with its endpoint for reads. */
final class Instance implements AutoCloseable {
  /** No answer at all within this is a hang: the endpoint promises one within five seconds. */
  private static final Duration HANG = Duration.ofSeconds(8);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final ReadEndpoint endpoint;
  private final Scheduler scheduler;
  private final String name;

  private Instance(String name, ReadEndpoint endpoint, Scheduler scheduler) {
    this.name = name;
    this.endpoint = endpoint;
    this.scheduler = scheduler;
  }

  /** What the endpoint said. */
  record Said(int status, JsonNode body, String instance, HttpResponse<byte[]> response) {
    boolean isRetryable() {
      return status == 503
          && body.path("retryable").asBoolean()
          && response.headers().firstValue("Retry-After").isPresent();
    }
  }

  static Instance start(
      SchedulerOnBroker broker, Topics topics, String name, Path folder, Sharing sharing)
      throws IOException {
    ReadEndpoint endpoint = ReadEndpoint.bind(sharing.listen());
    SchedulerConfig config =
        new SchedulerConfig(
            broker.bootstrap(),
            topics.prefix(),
            topics.prefix() + "scheduler",
            name,
            folder.resolve(name),
            topics.tablePartitions(),
            topics.poolPartitions(),
            (short) 1,
            25,
            Map.of(),
            sharing.at(endpoint.address()),
            Settings.DEFAULT);
    Scheduler scheduler = new Scheduler(config, RebuildMode.REFUSE, RebuildListener.SILENT);
    endpoint.serve(scheduler);
    scheduler.start();
    return new Instance(name, endpoint, scheduler);
  }

  String name() {
    return name;
  }

  String server() {
    return endpoint.address().host() + ":" + endpoint.address().port();
  }

  Said get(String path) {
    return send("GET", path);
  }

  Said send(String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + server() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .timeout(HANG)
            .build();
    try {
      HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
      return new Said(
          response.statusCode(),
          MAPPER.readTree(response.body()),
          response.headers().firstValue("Turnkeeper-Instance").orElse(""),
          response);
    } catch (IOException e) {
      throw new UncheckedIOException("no answer to " + request, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    scheduler.close();
    endpoint.close();
  }
}
