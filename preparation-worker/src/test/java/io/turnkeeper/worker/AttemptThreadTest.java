package io.turnkeeper.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.WorkSpec.Observe;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

class AttemptThreadTest {
  private static final Attempt ATTEMPT =
      new Attempt(new UnitId(new TableId("t"), 1), 1, new ExecutorId("e1"), 1);

  @Test
  void anErrorOfAUnitIsItsFailureAndItIsReleased() {
    RecordedReports told = new RecordedReports();
    RunUnit unit =
        new RunUnit(ATTEMPT, Kind.OBSERVE, Mode.OUTSIDE, new Observe(), 1, "/t", "/w", 0);
    AttemptControl control = new AttemptControl();

    new AttemptThread(
            unit,
            new OutOfMemory(),
            control,
            new AttemptReports(ATTEMPT, told),
            requireNonNull(new MemoryBudget(new RootAllocator(), 0).take("unit", 0)),
            StepListener.NONE)
        .run();

    assertThat(told.names()).containsExactly("UnitClaimed", "UnitFailed", "UnitReleased");
    assertThat(told.await(UnitFailed.class).message()).contains("no heap left");
    assertThat(control.isOver()).isTrue();
  }

  private static final class OutOfMemory implements AttemptLife {
    @Override
    public void live() {
      throw new OutOfMemoryError("no heap left");
    }

    @Override
    public String phase() {
      return "PREPARE";
    }

    @Override
    public void leaveNothing() {}
  }
}
