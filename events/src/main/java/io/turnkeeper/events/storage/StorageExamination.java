package io.turnkeeper.events.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Tries whether a storage keeps what tables rest on, in a folder of its own that it deletes. It
 * cannot prove that a name is taken once: a store that keeps it most of the time may be found good.
 */
public final class StorageExamination {
  /** How the folder begins that it works in; what an examination left may be deleted. */
  static final String FOLDER = "_doctor-";

  /** What stores bear: AWS refuses requests from 15 minutes on. */
  static final Duration MOST_SKEW = Duration.ofMinutes(5);

  private static final byte[] CONTENT = "examined".getBytes(UTF_8);

  private final Storage storage;
  private final String folder = FOLDER + UUID.randomUUID() + "/";
  private final List<Finding> findings = new ArrayList<>();

  private StorageExamination(Storage storage) {
    this.storage = storage;
  }

  /**
   * What one trial found.
   *
   * @param trial what was tried
   * @param good whether tables may rest on it
   * @param said what was seen
   */
  public record Finding(String trial, boolean good, String said) {}

  private interface Trial {
    Finding run(String name) throws IOException, InterruptedException;
  }

  /**
   * Tries everything.
   *
   * @param writers how many want one name at the same time
   * @param rounds how often they do
   */
  public static List<Finding> of(Storage storage, int writers, int rounds)
      throws InterruptedException {
    return new StorageExamination(storage).all(writers, rounds);
  }

  /** The same, shorter; says what is wrong first, empty if nothing is. */
  public static Optional<String> refusal(Storage storage) throws InterruptedException {
    return of(storage, 16, 1).stream()
        .filter(finding -> !finding.good())
        .map(finding -> finding.trial() + ": " + finding.said())
        .findFirst();
  }

  private List<Finding> all(int writers, int rounds) throws InterruptedException {
    // Asked first: whose clock is wrong is refused everything else, and should know why.
    tried("clock", this::clock);
    if (tried("write", this::write)) {
      tried("read", this::read);
      tried("list", this::list);
      tried("names are taken for good", this::taken);
      tried("one of many gets a name", name -> raced(name, writers, rounds));
      tried("copy", this::copied);
    }
    tried("delete", this::deleted);
    return List.copyOf(findings);
  }

  private boolean tried(String name, Trial trial) throws InterruptedException {
    Finding finding;
    try {
      finding = trial.run(name);
    } catch (IOException e) {
      String code = e instanceof StorageException refused ? refused.code() + ": " : "";
      finding = new Finding(name, false, code + e.getMessage());
    }
    findings.add(finding);
    return finding.good();
  }

  private Finding clock(String name) throws IOException {
    Optional<Duration> ahead = storage.clockAhead();
    return new Finding(
        name,
        ahead.isEmpty() || ahead.get().abs().compareTo(MOST_SKEW) <= 0,
        ahead
            .map(a -> "this machine's is %d s ahead of the store's".formatted(a.toSeconds()))
            .orElse("the storage tells none of its own"));
  }

  private Finding write(String name) throws IOException {
    boolean written = storage.createIfAbsent(folder + "file", CONTENT);
    return new Finding(name, written, written ? "a new file" : "a new name is said to be taken");
  }

  private Finding read(String name) throws IOException {
    boolean same = Arrays.equals(storage.content(folder + "file"), CONTENT);
    return new Finding(name, same, same ? "what was written" : "something else than was written");
  }

  private Finding list(String name) throws IOException {
    boolean seen =
        storage.list(folder).files().stream().anyMatch(f -> f.name().equals(folder + "file"));
    return new Finding(name, seen, seen ? "what was written" : "without what was just written");
  }

  private Finding taken(String name) throws IOException {
    boolean again = storage.createIfAbsent(folder + "file", "replaced".getBytes(UTF_8));
    boolean kept = Arrays.equals(storage.content(folder + "file"), CONTENT);
    return new Finding(
        name,
        !again && kept,
        again || !kept
            ? "a second writer of a name was let through: the condition of a put is ignored"
            : "a second writer was refused");
  }

  private Finding raced(String name, int writers, int rounds)
      throws IOException, InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      for (int round = 0; round < rounds; round++) {
        List<byte[]> winners = race(pool, writers, folder + "race/" + round);
        if (winners.size() != 1) {
          return new Finding(
              name, false, "of %d writers %d got it".formatted(writers, winners.size()));
        }
        if (!Arrays.equals(winners.get(0), storage.content(folder + "race/" + round))) {
          return new Finding(name, false, "another got it than was told so");
        }
      }
    } finally {
      pool.shutdownNow();
    }
    return new Finding(name, true, "of %d writers one, %d times".formatted(writers, rounds));
  }

  private List<byte[]> race(ExecutorService pool, int writers, String wanted)
      throws IOException, InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Boolean>> outcomes = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      byte[] content = content(writer);
      outcomes.add(
          pool.submit(
              () -> {
                go.await();
                return storage.createIfAbsent(wanted, content);
              }));
    }
    go.countDown();
    List<byte[]> winners = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      try {
        if (outcomes.get(writer).get()) {
          winners.add(content(writer));
        }
      } catch (ExecutionException e) {
        throw new IOException("a writer failed: " + e.getCause(), e);
      }
    }
    return winners;
  }

  private static byte[] content(int writer) {
    return ("writer " + writer).getBytes(UTF_8);
  }

  private Finding copied(String name) throws IOException {
    storage.copyNew(folder + "file", folder + "copy");
    boolean same = Arrays.equals(storage.content(folder + "copy"), CONTENT);
    return new Finding(name, same, same ? "by the store" : "something else than was copied");
  }

  private Finding deleted(String name) throws IOException {
    storage.deleteFolder(folder);
    boolean gone = storage.list(folder).equals(Listing.EMPTY);
    return new Finding(name, gone, gone ? "gone at once" : "still listed");
  }
}
