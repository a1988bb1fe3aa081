package io.turnkeeper.worker.child;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes for preparations from their start to their end. */
@Timeout(60)
class ChildIT {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path temporary;

  @Test
  void theProcessOfAKilledWorkerEndsItselfAndLeavesNothing() throws Exception {
    Process worker =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                HeldChild.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String pid;
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(worker.getInputStream(), StandardCharsets.UTF_8))) {
      pid = said.readLine();
      ProcessHandle child = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
      assertThat(left()).isNotEmpty();

      worker.destroyForcibly();

      child.onExit().get(20, TimeUnit.SECONDS);
    }
    assertThat(left()).isEmpty();
  }

  private List<Path> left() throws Exception {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(file -> file.getFileName().toString().startsWith("turnkeeper-")).toList();
    }
  }

  @Test
  void oneThatTakesTooMuchMemoryIsEnded() throws Exception {
    Child child = Child.start(ChildSize.STANDARD);
    child.awaitIdle();
    QuietAttempt attempt = new QuietAttempt();
    ChildWatch watch = ChildWatch.over(child, 1_000, false, attempt);
    try {
      assertThat(child.awaitEnd()).isEqualTo(new ChildEnd(137));
      assertThat(watch.excess()).isGreaterThan(20 << 20);
      assertThat(catchEnd(child)).isInstanceOf(IOException.class);
    } finally {
      watch.close();
      child.end();
    }
    assertThat(attempt.peak).isGreaterThanOrEqualTo(watch.excess());
  }

  private static Exception catchEnd(Child child) {
    return org.assertj.core.api.Assertions.catchException(child::next);
  }

  @Test
  void oneWhoseLoggerTellsOfItsConfigurationAnswersAllTheSame() throws Exception {
    Files.writeString(temporary.resolve("logback-test.xml"), "<configuration debug='true'/>");
    String path = System.getProperty("java.class.path");
    System.setProperty("java.class.path", temporary + File.pathSeparator + path);
    try {
      Child child = Child.start(ChildSize.STANDARD);
      child.awaitIdle();
      child.end();
    } finally {
      System.setProperty("java.class.path", path);
    }
  }

  @Test
  void whatWasKilledGetsNoOrderEvenBeforeItHasEnded() throws Exception {
    try (Children children = new Children(1)) {
      Child killed = children.take(ChildSize.STANDARD);
      killed.kill();
      assertThat(killed.isAlive()).isFalse();
      children.giveBack(killed);
      Child next = children.take(ChildSize.STANDARD);
      assertThat(next.pid()).isNotEqualTo(killed.pid());
      children.end(next);
    }
  }

  @Test
  void oneIsKeptReadyAndServesAgain() throws Exception {
    try (Children children = new Children(1)) {
      Child first = children.take(ChildSize.STANDARD);
      children.giveBack(first);
      Child again = children.take(ChildSize.STANDARD);

      assertThat(again.isAlive()).isTrue();
      children.end(again);
      assertThat(again.isAlive()).isFalse();
    }
  }

  @Test
  void aUnitTakesTheProcessThatIsStartingInsteadOfStartingOneMore() throws Exception {
    Set<Long> earlier = childPids();
    try (Children children = new Children(1)) {
      children.keepReady();
      Set<Long> starting = childPids();
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (starting.equals(earlier) && System.nanoTime() < deadline) {
        Thread.onSpinWait();
        starting = childPids();
      }
      Child taken = children.take(ChildSize.STANDARD);
      try {
        assertThat(earlier).doesNotContain(taken.pid());
        assertThat(starting).contains(taken.pid());
      } finally {
        children.end(taken);
      }
    }
  }

  @Test
  void theSameProcessServesOneUnitAfterTheOtherAndNoneIsStartedBesides() throws Exception {
    try (Children children = new Children(1)) {
      children.keepReady();
      Set<Long> served = new HashSet<>();
      for (int unit = 0; unit < 3; unit++) {
        Child taken = children.take(ChildSize.STANDARD);
        assertThat(children.count()).isEqualTo(1);
        served.add(taken.pid());
        children.giveBack(taken);
      }
      assertThat(served).hasSize(1);
    }
  }

  @Test
  void oneThatWasEndedIsReplaced() throws Exception {
    try (Children children = new Children(1)) {
      Child cancelled = children.take(ChildSize.STANDARD);
      Set<Long> before = childPids();
      children.end(cancelled);
      long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (before.containsAll(childPids()) && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertThat(before.containsAll(childPids())).as("none was started").isFalse();
    }
  }

  private static Set<Long> childPids() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).collect(toSet());
  }

  private static final class QuietAttempt implements Attended {
    private long peak;

    @Override
    public void planned(long readVersion, List<Long> sourceFragments) {}

    @Override
    public void completed(long bytesRead, long bytesWritten, long rows, String step) {}

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public void whenOver(Runnable stop) {}

    @Override
    public void tellWhatIsDue() {}

    @Override
    public void peaked(long bytes) {
      peak = bytes;
    }
  }
}
