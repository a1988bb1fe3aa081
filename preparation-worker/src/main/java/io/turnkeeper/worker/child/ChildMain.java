package io.turnkeeper.worker.child;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.worker.work.Place;
import io.turnkeeper.worker.work.StagedWork;
import io.turnkeeper.worker.work.Work;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.lance.JniLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process in which units are prepared, one after the other. It takes orders from its standard
 * input and answers on its standard output; when the input ends, the worker is gone and so is it.
 */
public final class ChildMain {
  // Before any logger is made: how it is configured may be told on standard output, and the answers
  // must have that for themselves.
  private static final DataOutputStream ANSWERS = takeStandardOutput();

  private static final Logger LOGGER = LoggerFactory.getLogger(ChildMain.class);

  private static final int WORKER_IS_GONE = 0;
  private static final int CANNOT_ANSWER = 4;

  private final RecordCodec codec = new RecordCodec();
  private final BlockingQueue<RunUnit> orders = new LinkedBlockingQueue<>();
  private final DataOutputStream answers;

  private ChildMain(DataOutputStream answers) {
    this.answers = answers;
  }

  /** Serves one worker until it ends. */
  public static void main(String[] args) throws InterruptedException {
    ChildMain child = new ChildMain(ANSWERS);
    Thread reader = new Thread(() -> child.read(new DataInputStream(System.in)), "orders");
    reader.setDaemon(true);
    reader.start();
    child.serve();
  }

  private static DataOutputStream takeStandardOutput() {
    DataOutputStream answers =
        new DataOutputStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)));
    System.setOut(System.err);
    return answers;
  }

  private void read(DataInputStream in) {
    try {
      while (true) {
        byte[] order = in.readNBytes(in.readInt());
        orders.add((RunUnit) codec.decode(order, Assignment.class));
      }
    } catch (EOFException e) {
      // Also out of a native call, which cannot be interrupted.
      deleteTemporary();
      Runtime.getRuntime().halt(WORKER_IS_GONE);
    } catch (IOException | InvalidRecordException e) {
      LOGGER.atError().setCause(e).log("cannot read an order");
      Runtime.getRuntime().halt(CANNOT_ANSWER);
    }
  }

  /** The worker does so otherwise, but there is none any more. */
  private static void deleteTemporary() {
    try {
      Child.delete(Path.of(System.getProperty("java.io.tmpdir")));
    } catch (IOException e) {
      LOGGER.atWarn().setCause(e).log("left temporary files");
    }
  }

  private void serve() throws InterruptedException {
    JniLoader.ensureLoaded();
    try (BufferAllocator root = new RootAllocator()) {
      say(new ChildMessage.Idle());
      while (true) {
        RunUnit unit = orders.take();
        ProcessMeter.forgetOwnPeak();
        say(answer(unit, root));
      }
    }
  }

  private ChildMessage answer(RunUnit unit, BufferAllocator root) {
    Work work = StagedWork.of(unit.kind()).orElseThrow();
    try (BufferAllocator allocator = root.newChildAllocator("unit", 0, Long.MAX_VALUE);
        CountedProgress progress =
            CountedProgress.of(Place.of("table", unit.uri()), new ToldProgress(this::say))) {
      StagedWork.Ending ending = StagedWork.prepare(work, unit, allocator, progress);
      return ending
          .preparation()
          .match(
              new io.turnkeeper.worker.work.Preparation.Cases<>() {
                @Override
                public ChildMessage ready(io.turnkeeper.worker.work.Prepared prepared) {
                  return new ChildMessage.Prepared(ending.descriptor());
                }

                @Override
                public ChildMessage nothing(long version, String reason) {
                  return new ChildMessage.Nothing(version, Require.shortened(reason));
                }
              });
    } catch (WorkFailedException e) {
      LOGGER.atWarn().setCause(e).log("a preparation failed");
      return ChildMessage.Failed.of(e);
    } catch (WorkCancelledException e) {
      throw new IllegalStateException("expected a cancel to end the process", e);
    } catch (RuntimeException e) {
      // For example memory that was not given back; the attempt is told, the process goes on.
      LOGGER.atError().setCause(e).log("a preparation failed by a fault of this program");
      return new ChildMessage.Failed(FailureCode.UNKNOWN, Require.shortened(e.toString()), null);
    }
  }

  private synchronized void say(ChildMessage message) {
    try {
      message.write(answers);
      answers.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the worker does not listen", e);
    }
  }
}
