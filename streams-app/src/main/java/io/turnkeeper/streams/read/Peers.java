package io.turnkeeper.streams.read;

import io.turnkeeper.streams.NotHereException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/** Asks other instances, each once: they do not ask further. */
final class Peers {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

  /** What is kept of the asker's time to tell it that there is no answer. */
  private static final Duration RESERVE = Duration.ofMillis(500);

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_LIMIT)
          .build();

  /** The answer of the instance that has what is not here, unless it was asked before. */
  Answer askOwner(
      Optional<HostInfo> owner, @Nullable HostInfo self, Question question, NotHereException reason)
      throws Problem {
    if (question.forwarded() || owner.isEmpty() || owner.get().equals(self)) {
      throw new Problem(Problem.Code.MOVING, String.valueOf(reason.getMessage()), reason);
    }
    return ask(owner.get(), question);
  }

  /** The answer of another instance, whatever it is. */
  Answer ask(HostInfo peer, Question question) throws Problem {
    return ask(List.of(peer), question).get(0);
  }

  /** The answers of all of them, in their order. */
  List<Answer> ask(List<HostInfo> peers, Question question) throws Problem {
    Duration limit = question.left().minus(RESERVE);
    if (limit.isNegative() || limit.isZero()) {
      throw new Problem(Problem.Code.TOO_SLOW, "no time is left to ask " + peers);
    }
    List<CompletableFuture<HttpResponse<byte[]>>> asked =
        peers.stream()
            .map(
                peer ->
                    client.sendAsync(request(peer, question, limit), BodyHandlers.ofByteArray()))
            .toList();
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      try {
        answers.add(answer(asked.get(i).get(limit.toMillis(), TimeUnit.MILLISECONDS)));
      } catch (ExecutionException | TimeoutException e) {
        throw new Problem(
            Problem.Code.OWNER_UNREACHABLE, "instance " + peers.get(i) + " does not answer", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Problem(Problem.Code.NOT_SERVING, "it stops", e);
      }
    }
    return answers;
  }

  private static HttpRequest request(HostInfo peer, Question question, Duration limit) {
    URI uri = URI.create("http://" + peer.host() + ":" + peer.port() + question.raw());
    return HttpRequest.newBuilder(uri)
        .timeout(limit)
        .header(ReadEndpoint.FORWARDED, "once")
        .GET()
        .build();
  }

  private static Answer answer(HttpResponse<byte[]> response) {
    return new Answer(
        response.statusCode(),
        response.headers().firstValue("Content-Type").orElse(Problem.CONTENT_TYPE),
        response.body(),
        response.headers().firstValue(ReadEndpoint.INSTANCE).orElse("unknown"));
  }
}
