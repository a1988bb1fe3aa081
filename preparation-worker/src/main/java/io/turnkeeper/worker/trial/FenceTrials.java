package io.turnkeeper.worker.trial;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Runs trials one after another, each on a table of its own. */
public final class FenceTrials {
  private final URI etcd;
  private final Path directory;
  private final String tables;
  private final long seed;

  /**
   * Prepares trials; nothing happens yet.
   *
   * @param directory an existing one, for what the processes need
   * @param tables where tables and logs are made, a path or a URI; nothing may be there
   * @param seed decides the order; the same one repeats it
   */
  public FenceTrials(URI etcd, Path directory, String tables, long seed) {
    this.etcd = etcd;
    this.directory = directory;
    this.tables = tables;
    this.seed = seed;
  }

  /**
   * Runs {@code count} trials over all combinations, as evenly as it goes.
   *
   * @param done told the number of trials that are over
   */
  public TrialReport run(int count, IntConsumer done) throws IOException, InterruptedException {
    Random random = new Random(seed);
    String prefix = "/fence-trial-" + System.nanoTime() + "/";
    TrialReport report = new TrialReport(seed);
    EtcdSettings settings =
        new EtcdSettings(List.of(etcd), prefix, EtcdSettings.DEFAULT_CALL_TIMEOUT);
    try (BufferAllocator allocator = new RootAllocator();
        Authority authority = EtcdAuthority.connect(settings);
        Holders holders = new Holders(etcd, prefix, directory)) {
      List<Trial> trials = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (trials.isEmpty()) {
          trials = combinations();
          Collections.shuffle(trials, random);
        }
        Trial trial = trials.remove(trials.size() - 1);
        String place = tables + "/trial-" + i;
        TrialTable table = new TrialTable(authority, allocator, new TableId("trial-" + i), place);
        report.add(trial, findings(trial, table, holders, random));
        Storage.at(place).deleteFolder("");
        done.accept(i + 1);
      }
    }
    return report;
  }

  private static List<Finding> findings(
      Trial trial, TrialTable table, Holders holders, Random random) throws InterruptedException {
    try {
      return trial.run(table, holders.current(), random);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      // Whatever broke it, the trial did not show what it should, and its process may stand still.
      holders.replace();
      return List.of(new Finding(Violation.UNUSABLE, String.valueOf(e)));
    }
  }

  static List<Trial> combinations() {
    List<Trial> all = new ArrayList<>();
    for (TrialWork work : TrialWork.values()) {
      for (Mode mode : Mode.values()) {
        for (HolderStep step : HolderStep.values()) {
          for (Meanwhile meanwhile : Meanwhile.values()) {
            all.add(new TurnTrial(work, mode, step, meanwhile, all.size() % 2 == 0));
          }
        }
      }
    }
    for (WriterStep step : WriterStep.values()) {
      for (int sealed = 0; sealed <= 2; sealed++) {
        all.add(new WriterTrial(step, sealed, false));
        all.add(new WriterTrial(step, sealed, true));
      }
    }
    return all;
  }
}
