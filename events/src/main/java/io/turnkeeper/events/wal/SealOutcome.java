package io.turnkeeper.events.wal;

import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Every way a seal can end. Only {@link Sealed} is an acknowledgement. */
public sealed interface SealOutcome {
  <R> R match(Cases<R> cases);

  /** One method for each outcome. */
  interface Cases<R> {
    R sealed(Sealed outcome);

    R nothing(Nothing outcome);

    R fenced(Fenced outcome);
  }

  /**
   * The rows are durable and will be in the table exactly once.
   *
   * @param mark the log with this generation
   * @param rows of this generation
   * @param bytes of this generation's file
   * @param announced completes when the demand topic has the event; if it fails, an observation
   *     finds the generation
   */
  record Sealed(WalMark mark, long rows, long bytes, CompletableFuture<RecordMetadata> announced)
      implements SealOutcome {
    public long generation() {
      return mark.sealedThrough();
    }

    @Override
    public <R> R match(Cases<R> cases) {
      return cases.sealed(this);
    }
  }

  /** No row was appended since the last seal. */
  record Nothing() implements SealOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.nothing(this);
    }
  }

  /** Another writer has the shard ({@code WRITER_FENCED}); this one must be opened anew. */
  record Fenced(String reason) implements SealOutcome {
    @Override
    public <R> R match(Cases<R> cases) {
      return cases.fenced(this);
    }
  }
}
