package io.turnkeeper.worker;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StorageExamination;
import io.turnkeeper.events.storage.StorageExamination.Finding;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code doctor}: tries whether tables and logs may lie in a place. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Check a place for tables or logs: a path, or s3://BUCKET/PATH.",
      "Writes, reads, lists and deletes there in a folder of its own, lets many writers want one"
          + " name, and compares clocks. Exit code 1 if anything is wrong."
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final int BAD_PLACE = 2;
  private static final int WRITERS = 32;
  private static final int ROUNDS = 5;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "PLACE", arity = "1..*", description = "The places to check.")
  private List<String> places = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    boolean good = true;
    for (String place : places) {
      Storage storage;
      try {
        storage = Storage.at(place);
      } catch (IllegalArgumentException e) {
        spec.commandLine().getErr().println(e.getMessage());
        return BAD_PLACE;
      }
      good &= tell(storage.location(), StorageExamination.of(storage, WRITERS, ROUNDS));
    }
    return good ? 0 : 1;
  }

  private boolean tell(String place, List<Finding> findings) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(place);
    for (Finding finding : findings) {
      out.printf(
          "  %-5s %-25s %s%n", finding.good() ? "ok" : "WRONG", finding.trial(), finding.said());
    }
    out.flush();
    return findings.stream().allMatch(Finding::good);
  }
}
