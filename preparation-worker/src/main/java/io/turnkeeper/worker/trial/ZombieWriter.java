package io.turnkeeper.worker.trial;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.events.wal.SealOutcome;
import io.turnkeeper.events.wal.WalWriter;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A writer of a log that stands still at the steps of a seal. */
public final class ZombieWriter {
  private static final TableId TABLE = new TableId("log");

  private final Consumer<String> say;
  private final Consumer<String> step;

  public ZombieWriter(Consumer<String> say, Consumer<String> step) {
    this.say = say;
    this.step = step;
  }

  /**
   * Opens the shard, appends rows and seals them, on a thread of its own.
   *
   * @param opened called once the writer has the shard
   */
  public void start(String walUri, String shard, int firstRow, Runnable opened) {
    Thread thread =
        new Thread(
            () -> {
              try {
                write(walUri, shard, firstRow, opened);
              } catch (IOException | RuntimeException e) {
                say.accept("FAILED " + e);
              }
            },
            "zombie-writer");
    thread.setDaemon(true);
    thread.start();
  }

  private void write(String walUri, String shard, int firstRow, Runnable opened)
      throws IOException {
    try (BufferAllocator allocator = new RootAllocator();
        WalWriter writer =
            WalWriter.open(
                TABLE,
                1,
                walUri,
                new ShardId(shard),
                event -> {
                  step.accept(WriterStep.NAMED.name());
                  return new CompletableFuture<>();
                },
                new StepClock())) {
      opened.run();
      step.accept(WriterStep.OPENED.name());
      TrialRows.append(writer, firstRow, WriterTrial.ROWS, allocator);
      step.accept(WriterStep.APPENDED.name());
      SealOutcome outcome = writer.seal();
      say.accept(
          outcome instanceof SealOutcome.Sealed sealed
              ? "SEALED " + sealed.generation()
              : "FENCED " + outcome);
    }
  }

  /** The writer looks at the clock after its last row is written and before the file has a name. */
  private final class StepClock extends Clock {
    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      step.accept(WriterStep.NAMELESS.name());
      return Instant.now();
    }
  }
}
