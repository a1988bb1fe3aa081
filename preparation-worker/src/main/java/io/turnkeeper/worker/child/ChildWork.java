package io.turnkeeper.worker.child;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.Storages;
import io.turnkeeper.worker.fence.FileErrors;
import io.turnkeeper.worker.work.Descriptor;
import io.turnkeeper.worker.work.Place;
import io.turnkeeper.worker.work.Preparation;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

/** Prepares units in processes of their own, and watches over them. */
public final class ChildWork {
  private final Children children;
  private final RecordCodec codec;

  public ChildWork(Children children, RecordCodec codec) {
    this.children = children;
    this.codec = codec;
  }

  /**
   * Prepares {@code unit}. When this returns or throws, no process works for it any more.
   *
   * @throws WorkFailedException saying what is wrong
   * @throws WorkCancelledException if the attempt is over
   */
  public Preparation prepare(RunUnit unit, Attended attempt)
      throws WorkFailedException, WorkCancelledException, InterruptedException {
    attempt.requireLive();
    Child child;
    try {
      child = children.take(ChildSize.of(unit.reservedBytes()));
    } catch (IOException e) {
      throw new WorkFailedException(FailureCode.IO, "cannot start a process: " + e, e);
    }
    boolean good = false;
    try (ChildWatch watch =
        ChildWatch.over(
            child,
            ChildSize.ceilingBytes(unit.reservedBytes()),
            !Storages.isLocal(unit.uri()),
            attempt)) {
      attempt.whenOver(
          () -> {
            // A dead process says no more what it took.
            watch.peakBytes();
            child.kill();
          });
      Preparation preparation = converse(child, unit, attempt, watch);
      good = true;
      return preparation;
    } catch (WorkFailedException e) {
      // It said so itself and waits for the next order, unless it is dead.
      good = child.isAlive() && e.code() != FailureCode.IO;
      throw e;
    } finally {
      // From here on it may work for another attempt.
      attempt.whenOver(() -> {});
      if (good) {
        children.giveBack(child);
      } else {
        children.end(child);
      }
    }
  }

  private Preparation converse(Child child, RunUnit unit, Attended attempt, ChildWatch watch)
      throws WorkFailedException, WorkCancelledException, InterruptedException {
    try {
      child.order(unit, codec);
    } catch (IOException e) {
      // Nobody reads an order but its process, so that is gone.
      attempt.requireLive();
      throw died(child, watch, e);
    }
    try {
      Answers answers = new Answers(Place.of("table", unit.uri()), attempt, watch);
      while (true) {
        Optional<Preparation> preparation = child.next().match(answers);
        attempt.requireLive();
        if (preparation.isPresent()) {
          return preparation.get();
        }
      }
    } catch (IOException e) {
      attempt.requireLive();
      // Java closes the output of a dead process under whoever reads it.
      if (e instanceof EOFException || !child.isAlive()) {
        throw died(child, watch, e);
      }
      child.kill();
      throw new WorkFailedException(
          FileErrors.codeOf(e), "cannot read what was prepared: " + FileErrors.said(e), e);
    }
  }

  private static WorkFailedException died(Child child, ChildWatch watch, IOException cause)
      throws InterruptedException {
    if (watch.excess() > 0) {
      return new WorkFailedException(
          FailureCode.NEEDS_MORE_MEMORY,
          "expected the preparation to take at most "
              + watch.ceilingBytes()
              + " bytes, but it took "
              + watch.excess());
    }
    try {
      ChildEnd end = child.awaitEnd();
      return new WorkFailedException(
          end.code(), "the process of the preparation " + end + child.lastWords(), cause);
    } catch (IOException e) {
      return new WorkFailedException(FailureCode.IO, "cannot tell how a process ended: " + e, e);
    }
  }

  /** Nothing means that the process goes on. */
  private static final class Answers implements ChildMessage.Cases<Optional<Preparation>> {
    private final Storage table;
    private final Attended attempt;
    private final ChildWatch watch;

    private Answers(Storage table, Attended attempt, ChildWatch watch) {
      this.table = table;
      this.attempt = attempt;
      this.watch = watch;
    }

    @Override
    public Optional<Preparation> idle(ChildMessage.Idle message) {
      return Optional.empty();
    }

    @Override
    public Optional<Preparation> planned(ChildMessage.Planned message) {
      attempt.planned(message.readVersion(), message.fragments());
      return Optional.empty();
    }

    @Override
    public Optional<Preparation> step(ChildMessage.Step message) {
      watch.io().step(message);
      return Optional.empty();
    }

    @Override
    public Optional<Preparation> prepared(ChildMessage.Prepared message) throws IOException {
      return Optional.of(
          new Preparation.Ready(Descriptor.read(table, message.descriptor(), watch.peakBytes())));
    }

    @Override
    public Optional<Preparation> nothing(ChildMessage.Nothing message) {
      return Optional.of(new Preparation.Nothing(message.version(), message.reason()));
    }

    @Override
    public Optional<Preparation> failed(ChildMessage.Failed message) throws WorkFailedException {
      throw new WorkFailedException(message.code(), message.message(), message.badGeneration());
    }
  }
}
