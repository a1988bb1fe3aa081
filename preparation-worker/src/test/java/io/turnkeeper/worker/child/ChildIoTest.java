package io.turnkeeper.worker.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.worker.work.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildIoTest {
  private final List<String> told = new ArrayList<>();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path process;

  @BeforeEach
  void nothingYet() throws IOException {
    moved(1_000_000, 2_000_000);
  }

  @Test
  void dataThatWasMovedIsProgress() throws Exception {
    ChildIo io = new ChildIo(new ProcessMeter(process)::io, new Told(told));
    moved(1_000_000 + ChildIo.LEAST_BYTES, 2_000_000);
    io.look();
    moved(1_000_000 + ChildIo.LEAST_BYTES, 2_000_000 + ChildIo.LEAST_BYTES);
    io.look();

    assertThat(told)
        .containsExactly("16384 0 0 reading and writing", "0 16384 0 reading and writing");
  }

  @Test
  void pollingAndFailedReadsAreNoProgressHoweverLongTheyGoOn() throws Exception {
    ChildIo io = new ChildIo(new ProcessMeter(process)::io, new Told(told));
    for (int look = 1; look <= 1_000; look++) {
      moved(1_000_000 + look * (ChildIo.LEAST_BYTES - 1), 2_000_000);
      io.look();
    }

    assertThat(told).isEmpty();
  }

  @Test
  void aStepIsToldWithWhatWasMovedSinceTheLast() throws Exception {
    ChildIo io = new ChildIo(new ProcessMeter(process)::io, new Told(told));
    moved(1_000_010, 2_000_020);
    io.step(new ChildMessage.Step(7, 8, 9, "read 1 of 2 fragments"));
    io.look();

    assertThat(told).containsExactly("10 20 9 read 1 of 2 fragments");
  }

  @Test
  void whereTheSystemSaysNothingAStepSaysItself() throws Exception {
    ChildIo io = new ChildIo(new ProcessMeter(process.resolve("none"))::io, new Told(told));
    io.look();
    io.step(new ChildMessage.Step(7, 8, 9, "read 1 of 2 fragments"));

    assertThat(told).containsExactly("7 8 9 read 1 of 2 fragments");
  }

  private void moved(long read, long written) throws IOException {
    Files.writeString(process.resolve("io"), "rchar: " + read + "\nwchar: " + written + "\n");
  }

  private record Told(List<String> told) implements Progress {
    @Override
    public void planned(long readVersion, List<Long> sourceFragments) {}

    @Override
    public void completed(long bytesRead, long bytesWritten, long rows, String step) {
      told.add(bytesRead + " " + bytesWritten + " " + rows + " " + step);
    }

    @Override
    public boolean cancelled() {
      return false;
    }
  }
}
