package io.turnkeeper.worker.trial;

import io.turnkeeper.core.table.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * One holder of a turn that is stopped while others act, and then goes on as if nothing had
 * happened.
 *
 * @param again whether the holder gets another turn after it lost the first
 */
record TurnTrial(TrialWork work, Mode mode, HolderStep step, Meanwhile meanwhile, boolean again)
    implements Trial {
  private static final long FIRST_TURN = TrialTable.USED_TURN + 1;
  private static final long LATER_TURN = Meanwhile.TURN + 1;
  private static final long UNIT = 7;
  private static final int LONGEST_PAUSE_NANOS = 15_000_000;

  @Override
  public String name() {
    return work + " " + mode + ", stopped at " + step + ", meanwhile " + meanwhile;
  }

  @Override
  public String group() {
    return work + " " + mode;
  }

  @Override
  public List<Finding> run(TrialTable table, HolderProcess holder, Random random) throws Exception {
    table.create(work);
    long incarnation = table.head().tableIncarnation();
    holder.order(
        "RUN",
        work.name(),
        mode.name(),
        table.id().value(),
        Long.toString(UNIT),
        Long.toString(incarnation),
        table.uri(),
        table.walUri());
    if (mode == Mode.OUTSIDE) {
      holder.await(table.id().value(), "READY"::equals);
    }
    holder.order("GRANT", Long.toString(FIRST_TURN), step.waitsAt().name());
    List<String> answers = new ArrayList<>();
    if (step == HolderStep.REPORTED) {
      answers.add(holder.await(table.id().value(), TurnTrial::isAnswer));
    }
    holder.await(table.id().value(), ("AT " + step.waitsAt())::equals);
    if (step == HolderStep.BETWEEN) {
      holder.order("GO");
      LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_NANOS));
    }
    holder.freeze();
    Digests stopped = Digests.of(table.files());
    holder.order("GO");
    meanwhile.happensTo(table);
    long headMeanwhile = table.head().version();
    Digests between = Digests.of(table.files());
    holder.thaw();
    if (answers.isEmpty()) {
      answers.add(holder.await(table.id().value(), TurnTrial::isAnswer));
    }
    if (again && keepsItsFiles(answers.get(0))) {
      holder.order("GRANT", Long.toString(LATER_TURN), "");
      answers.add(holder.await(table.id().value(), TurnTrial::isAnswer));
    }
    holder.order("CANCEL");
    holder.await(table.id().value(), "RELEASED"::equals);
    Digests end = Digests.of(table.files());
    List<Finding> findings = new ArrayList<>();
    stopped.overwritten(end).forEach(file -> findings.add(overwritten(file)));
    between.overwritten(end).forEach(file -> findings.add(overwritten(file)));
    judge(table, headMeanwhile, answers, findings);
    return findings;
  }

  private static boolean keepsItsFiles(String answer) {
    return answer.equals("REFUSED STALE_TURN") || answer.equals("REFUSED TURN_LOST");
  }

  private static boolean isAnswer(String line) {
    return line.startsWith("PUBLISHED")
        || line.startsWith("REFUSED")
        || line.startsWith("FAILED")
        || line.startsWith("NOTHING");
  }

  private void judge(
      TrialTable table, long headMeanwhile, List<String> answers, List<Finding> findings) {
    Truth truth;
    try {
      truth = table.truth();
    } catch (Exception e) {
      // Whatever it is: a table that cannot be read is what is to be found out.
      findings.add(new Finding(Violation.UNUSABLE, String.valueOf(e)));
      return;
    }
    long first = truth.newestOf(FIRST_TURN);
    long later = truth.newestOf(LATER_TURN);
    if (meanwhile.fences() && first > headMeanwhile) {
      findings.add(
          new Finding(
              Violation.COMMIT_BY_A_ZOMBIE,
              "version " + first + " is by the turn that was lost at version " + headMeanwhile));
    }
    if (truth.head() != truth.visible()) {
      findings.add(
          new Finding(
              Violation.UNUSABLE,
              "the head is at " + truth.head() + ", readers are at " + truth.visible()));
    }
    if (truth.doubled() > 0) {
      findings.add(new Finding(Violation.DOUBLED_ROWS, truth.doubled() + " rows twice"));
    }
    boolean published = answers.get(answers.size() - 1).equals("PUBLISHED");
    boolean real = first > 0 || later > 0;
    requireRows(truth, published, findings);
    if (published != real) {
      findings.add(
          new Finding(
              published ? Violation.LOST_COMMIT : Violation.UNTRUE_ANSWER,
              "it said " + answers + ", its versions are " + first + " and " + later));
    }
    if (!meanwhile.fences() && !published) {
      findings.add(new Finding(Violation.UNTRUE_ANSWER, "refused for no reason: " + answers));
    }
  }

  private void requireRows(Truth truth, boolean published, List<Finding> findings) {
    int seeds = TrialTable.SEEDS - work.firstSeed();
    lost("rows of before", truth.present(work.firstSeed(), seeds), seeds, findings);
    if (meanwhile.commits()) {
      lost(
          "rows of the one who took the turn",
          truth.present(TrialTable.FIRST_MEANWHILE, TrialTable.MEANWHILE),
          TrialTable.MEANWHILE,
          findings);
    }
    if (work.merges()) {
      int expected = published ? work.newRows() : 0;
      long found = truth.present(work.firstNew(), work.newRows());
      effect("merged rows", found, expected, published, findings);
    }
    int unrepaired = work == TrialWork.REPAIR && !published ? 1 : 0;
    effect("lost fragments", truth.lostFragments(), unrepaired, published, findings);
  }

  private static void effect(
      String what, long found, long expected, boolean published, List<Finding> findings) {
    if (found != expected) {
      findings.add(
          new Finding(
              published ? Violation.LOST_COMMIT : Violation.COMMIT_BY_A_ZOMBIE,
              "expected " + expected + " " + what + ", but there are " + found));
    }
  }

  private static void lost(String what, long found, long expected, List<Finding> findings) {
    if (found != expected) {
      findings.add(
          new Finding(
              Violation.LOST_COMMIT, "expected " + expected + " " + what + ", found " + found));
    }
  }

  private static Finding overwritten(String file) {
    return new Finding(Violation.OVERWRITTEN, file);
  }
}
