package io.turnkeeper.streams.read;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.turnkeeper.streams.Scheduler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers reads of one scheduler instance over HTTP. Whatever happens to the scheduler, each
 * request gets an answer or a problem within {@link #LIMIT}.
 */
public final class ReadEndpoint implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(ReadEndpoint.class);

  /** Set by an instance that asks another one. */
  static final String FORWARDED = "Turnkeeper-Forwarded";

  /** Who answered. */
  static final String INSTANCE = "Turnkeeper-Instance";

  static final Duration LIMIT = Duration.ofSeconds(5);

  private static final int THREADS = 8;
  private static final int MAX_WAITING = 256;
  private static final int BACKLOG = 64;
  private static final int RETRY_SECONDS = 1;

  /** A client that is slower than this with its request or its answer is cut off. */
  private static final String CLIENT_SECONDS = "15";

  private final HttpServer server;
  private final ExecutorService connections = pool("read-connection");
  private final ExecutorService readers = pool("read");
  private volatile @Nullable Reads reads;
  private volatile String instance = "";

  private ReadEndpoint(HttpServer server) {
    this.server = server;
  }

  /**
   * Listens at once; until {@link #serve} every request is told to come again.
   *
   * @throws IOException if the address cannot be used
   */
  public static ReadEndpoint bind(HostInfo address) throws IOException {
    // The server of the JDK reads these when it is first used; without them it waits for ever.
    System.setProperty("sun.net.httpserver.maxReqTime", CLIENT_SECONDS);
    System.setProperty("sun.net.httpserver.maxRspTime", CLIENT_SECONDS);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(address.host(), address.port()), BACKLOG);
    ReadEndpoint endpoint = new ReadEndpoint(server);
    server.createContext("/", endpoint::handle);
    server.setExecutor(endpoint.connections);
    server.start();
    return endpoint;
  }

  private static ExecutorService pool(String name) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        THREADS,
        THREADS,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(MAX_WAITING),
        task -> {
          Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Where it listens. */
  public HostInfo address() {
    InetSocketAddress bound = server.getAddress();
    return new HostInfo(bound.getHostString(), bound.getPort());
  }

  /** From here on reads are answered from that scheduler's stores. */
  public void serve(Scheduler scheduler) {
    instance = scheduler.config().instanceId();
    reads = new Reads(scheduler);
  }

  private void handle(HttpExchange exchange) {
    CompletableFuture<Answer> answer;
    try {
      answer = CompletableFuture.supplyAsync(() -> answer(exchange), readers);
    } catch (RejectedExecutionException e) {
      answer =
          CompletableFuture.completedFuture(
              new Problem(Problem.Code.TOO_MANY_READS, MAX_WAITING + " are waiting").answer());
    }
    Answer late = new Problem(Problem.Code.TOO_SLOW, "no answer within " + LIMIT).answer();
    CompletableFuture<Void> unused =
        answer
            .completeOnTimeout(late, LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .thenAcceptAsync(told -> send(exchange, told), connections);
  }

  private Answer answer(HttpExchange exchange) {
    try {
      if (!exchange.getRequestMethod().equals("GET")) {
        throw new Problem(
            Problem.Code.METHOD_NOT_ALLOWED, "it is a " + exchange.getRequestMethod());
      }
      Question question =
          Question.of(
              exchange.getRequestURI(), exchange.getRequestHeaders().containsKey(FORWARDED), LIMIT);
      Reads ready = reads;
      if (ready == null) {
        throw new Problem(Problem.Code.NOT_SERVING, "it starts");
      }
      return ready.answer(question);
    } catch (Problem problem) {
      return problem.answer();
    } catch (RuntimeException e) {
      LOGGER.atError().setCause(e).log("a read failed: {}", exchange.getRequestURI());
      return new Problem(Problem.Code.INTERNAL, e.toString()).answer();
    }
  }

  private void send(HttpExchange exchange, Answer answer) {
    try (exchange) {
      var headers = exchange.getResponseHeaders();
      headers.set("Content-Type", answer.contentType());
      headers.set("Cache-Control", "no-store");
      headers.set(INSTANCE, Objects.requireNonNullElse(answer.instance(), instance));
      if (answer.isRetryable()) {
        headers.set("Retry-After", Integer.toString(RETRY_SECONDS));
      }
      exchange.sendResponseHeaders(answer.status(), answer.body().length);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(answer.body());
      }
    } catch (IOException e) {
      LOGGER.debug("whoever asked has gone", e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    connections.shutdownNow();
    readers.shutdownNow();
  }
}
