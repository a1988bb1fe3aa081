package io.turnkeeper.events.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.StorageExamination.Finding;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storages that keep what tables rest on are told from those that do not. */
class StorageExaminationTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path dir;

  private final Storage good = new MemoryStorage("/memory");

  @Test
  void aDirectoryIsGoodAndLeftAsItWas() throws Exception {
    Storage local = new LocalStorage(dir);
    assertThat(StorageExamination.of(local, 16, 3)).hasSize(8).allMatch(Finding::good);
    assertThat(StorageExamination.refusal(local)).isEmpty();
    assertThat(dir).isEmptyDirectory();
  }

  @Test
  void aStoreThatIgnoresTheConditionIsRefused() throws Exception {
    Storage store =
        new ForwardingStorage(good) {
          @Override
          public boolean createIfAbsent(String name, byte[] content) throws IOException {
            delete(List.of(name));
            super.createIfAbsent(name, content);
            return true;
          }
        };
    assertThat(StorageExamination.refusal(store).orElseThrow())
        .isEqualTo(
            "names are taken for good: a second writer of a name was let through: the condition of"
                + " a put is ignored");
    assertThat(bad(store)).contains("one of many gets a name");
  }

  @Test
  void aStoreThatKeepsTheConditionUnlessTwoComeAtOnceIsRefused() throws Exception {
    Storage store =
        new ForwardingStorage(good) {
          private final AtomicInteger raced = new AtomicInteger();

          @Override
          public boolean createIfAbsent(String name, byte[] content) throws IOException {
            boolean created = super.createIfAbsent(name, content);
            return created || (name.contains("race/") && raced.incrementAndGet() == 1);
          }
        };
    assertThat(StorageExamination.of(store, 8, 1))
        .filteredOn(finding -> !finding.good())
        .extracting(Finding::said)
        .containsExactly("of 8 writers 2 got it");
  }

  @Test
  void aStoreThatListsLateIsRefused() throws Exception {
    assertThat(
            bad(
                new ForwardingStorage(good) {
                  @Override
                  public Listing list(String folder) {
                    return Listing.EMPTY;
                  }
                }))
        .containsExactly("list");
  }

  @Test
  void aStoreThatDeletesLateIsRefused() throws Exception {
    assertThat(
            bad(
                new ForwardingStorage(good) {
                  @Override
                  public void deleteFolder(String folder) {}
                }))
        .containsExactly("delete");
  }

  @Test
  void whoMayNotWriteIsToldSoAndNothingElseIsTried() throws Exception {
    Storage store =
        new ForwardingStorage(good) {
          @Override
          public boolean createIfAbsent(String name, byte[] content) throws IOException {
            throw new StorageException(FailureCode.PERMISSION_DENIED, "no", null);
          }
        };
    assertThat(StorageExamination.of(store, 8, 1))
        .filteredOn(finding -> !finding.good())
        .containsExactly(new Finding("write", false, "PERMISSION_DENIED: no"));
  }

  @Test
  void aClockThatIsTwentyMinutesOffIsRefused() throws Exception {
    assertThat(bad(clockAhead(Duration.ofMinutes(20)))).containsExactly("clock");
    assertThat(bad(clockAhead(Duration.ofMinutes(-20)))).containsExactly("clock");
    assertThat(bad(clockAhead(Duration.ofMinutes(-4)))).isEmpty();
  }

  private Storage clockAhead(Duration ahead) {
    return new ForwardingStorage(good) {
      @Override
      public Optional<Duration> clockAhead() {
        return Optional.of(ahead);
      }
    };
  }

  private static List<String> bad(Storage storage) throws InterruptedException {
    return StorageExamination.of(storage, 8, 1).stream()
        .filter(finding -> !finding.good())
        .map(Finding::trial)
        .toList();
  }
}
