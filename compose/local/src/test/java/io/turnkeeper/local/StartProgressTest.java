package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StartProgressTest {
  private final StringWriter said = new StringWriter();

  @Test
  void whatAStartWaitsForIsToldUntilItIsUp() throws Exception {
    StartProgress progress = new StartProgress(new PrintWriter(said), Duration.ofMillis(1));
    progress.waitsFor("etcd");
    awaitText("s, it waits for etcd" + System.lineSeparator());
    progress.waitsFor("the broker");
    awaitText("s, it waits for the broker" + System.lineSeparator());
    progress.close();
    String atTheEnd = said.toString();
    progress.tell();
    assertThat(said.toString()).isEqualTo(atTheEnd);
  }

  @Test
  void aShortStartTellsNothing() {
    try (StartProgress progress = new StartProgress(new PrintWriter(said))) {
      progress.waitsFor("etcd");
    }
    assertThat(said.toString()).isEmpty();
  }

  private void awaitText(String text) throws InterruptedException {
    SchedulerOnBroker.await("'" + text + "'", () -> said.toString().contains(text));
  }
}
