package io.turnkeeper.local.demo;

import io.turnkeeper.events.EventProducer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.BufferAllocator;

/** The demo's writers, each in a thread of its own. */
final class Writers implements AutoCloseable {
  private final List<DemoWriter> writers = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Opens the writer of one shard. */
  @FunctionalInterface
  interface Opening {
    DemoWriter open(
        String shard, DemoTable table, EventProducer producer, BufferAllocator allocator)
        throws IOException;
  }

  /** Something that a writer does. */
  @FunctionalInterface
  interface Task {
    void run(DemoWriter writer) throws Exception;
  }

  static Writers open(
      List<String> shards,
      Opening opening,
      DemoTable table,
      EventProducer producer,
      BufferAllocator allocator)
      throws IOException {
    Writers all = new Writers();
    try {
      for (String shard : shards) {
        all.writers.add(opening.open(shard, table, producer, allocator));
      }
      return all;
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  long rowsSealed() {
    return writers.stream().mapToLong(DemoWriter::rowsSealed).sum();
  }

  /** What of {@code rows} falls to {@code writer}; all shares together are all rows. */
  long share(DemoWriter writer, long rows) {
    long each = rows / writers.size();
    return writers.indexOf(writer) == 0 ? rows - each * (writers.size() - 1) : each;
  }

  /** Lets all writers do it at the same time and waits for all. */
  void each(Task task) throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (DemoWriter writer : writers) {
      running.add(
          threads.submit(
              () -> {
                task.run(writer);
                return null;
              }));
    }
    for (Future<?> one : running) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw new IOException("a writer failed: " + e.getCause(), e);
      }
    }
  }

  /** Interrupts what still writes, then closes all. */
  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(5, java.util.concurrent.TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    for (DemoWriter writer : writers) {
      writer.close();
    }
  }
}
