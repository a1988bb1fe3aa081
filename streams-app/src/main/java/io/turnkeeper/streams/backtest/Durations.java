package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Mode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long attempts take, by kind, mode and size, as history shows. The n-th simulated attempt of a
 * size takes as long as the n-th recorded one, and after the last the first comes again: so nothing
 * is drawn by lot, and the same decisions take the same time.
 */
final class Durations {
  /** A kind in one mode. */
  record Work(Kind kind, Mode mode) implements Comparable<Work> {
    @Override
    public int compareTo(Work other) {
      return Comparator.comparing(Work::kind).thenComparing(Work::mode).compare(this, other);
    }

    private Work inTheOtherMode() {
      return new Work(kind, mode == Mode.INSIDE ? Mode.OUTSIDE : Mode.INSIDE);
    }
  }

  /** What an attempt's duration rests on. */
  enum Basis {
    /** Attempts of the same kind, mode and size. */
    SAMPLES,
    /** Attempts of the nearest size, since there were none of its own. */
    NEAREST_SIZE,
    /** Attempts of the other mode, their parts taken together or apart. */
    OTHER_MODE,
    /** Nothing but {@link Course#assumed}. */
    ASSUMED
  }

  /**
   * What was used for one sort of work.
   *
   * @param sizeLog2 the size that was wanted
   * @param samples how many recorded attempts it rests on
   */
  record Use(Work work, int sizeLog2, Basis basis, int samples) {}

  private static final class Row {
    private final List<Course> courses = new ArrayList<>();
    private int next;

    private Course next() {
      return courses.get(next++ % courses.size());
    }
  }

  private final SortedMap<Work, SortedMap<Integer, Row>> rows = new TreeMap<>();
  private final SortedMap<Use, Long> uses =
      new TreeMap<>(Comparator.comparing(Use::work).thenComparingInt(Use::sizeLog2));

  /** One more recorded attempt; in the order in which they were assigned. */
  void add(Work work, int sizeLog2, Course course) {
    rows.computeIfAbsent(work, key -> new TreeMap<>())
        .computeIfAbsent(sizeLog2, key -> new Row())
        .courses
        .add(course);
  }

  /** How the next attempt of that work goes. */
  Course next(Work work, int sizeLog2) {
    Work other = work.inTheOtherMode();
    if (rows.containsKey(work)) {
      return near(work, sizeLog2, work);
    }
    // A look without a turn and one that finds out about a lost turn are other work.
    if (work.kind() != Kind.OBSERVE && rows.containsKey(other)) {
      Course course = near(work, sizeLog2, other);
      return work.mode() == Mode.OUTSIDE ? course.outside() : course.inside();
    }
    count(work, sizeLog2, Basis.ASSUMED, 0);
    return Course.assumed(work.mode());
  }

  private Course near(Work work, int sizeLog2, Work from) {
    SortedMap<Integer, Row> sizes = Objects.requireNonNull(rows.get(from));
    int nearest =
        sizes.keySet().stream()
            .min(Comparator.comparingInt(size -> Math.abs(size - sizeLog2)))
            .orElseThrow();
    Row row = Objects.requireNonNull(sizes.get(nearest));
    Basis same = nearest == sizeLog2 ? Basis.SAMPLES : Basis.NEAREST_SIZE;
    count(work, sizeLog2, from.equals(work) ? same : Basis.OTHER_MODE, row.courses.size());
    return row.next();
  }

  private void count(Work work, int sizeLog2, Basis basis, int samples) {
    uses.merge(new Use(work, sizeLog2, basis, samples), 1L, Long::sum);
  }

  /** What was used, and how often. */
  SortedMap<Use, Long> uses() {
    return Collections.unmodifiableSortedMap(uses);
  }
}
