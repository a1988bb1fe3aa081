package io.turnkeeper.worker;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.EventProducer;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Writes facts to Kafka, one after the other. The producer repeats what fails until its own
 * delivery timeout; what fails then is final.
 */
public final class KafkaReports implements Reports {
  private final EventProducer producer;

  public KafkaReports(EventProducer producer) {
    this.producer = producer;
  }

  @Override
  public void send(TableEvent event) {
    await(event, producer.publish(event));
  }

  @Override
  public void send(PoolEvent event) {
    await(event, producer.publish(event));
  }

  @Override
  public void giveUp() {
    producer.close(Duration.ZERO);
  }

  private static void await(Event event, Future<?> sent) {
    // A native thread must not be interrupted out of a report; the delivery timeout bounds this.
    boolean interrupted = false;
    try {
      while (true) {
        try {
          sent.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw new ReportFailedException(
              "expected " + event.getClass().getSimpleName() + " to be taken, but " + e.getCause(),
              e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
