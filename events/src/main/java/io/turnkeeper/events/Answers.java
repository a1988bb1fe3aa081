package io.turnkeeper.events;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;

/** Waits for what the cluster answers; the admin client's own timeout ends the wait. */
final class Answers {
  private Answers() {}

  static <T> T of(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw KafkaFailedException.of(cause(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while waiting for Kafka", e);
    }
  }

  /** Whether the topic was created; false if another process was faster. */
  static boolean unlessExists(KafkaFuture<Void> created) {
    try {
      created.get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false;
      }
      throw KafkaFailedException.of(cause(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while waiting for Kafka", e);
    }
  }

  private static Throwable cause(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause == null ? e : cause;
  }
}
