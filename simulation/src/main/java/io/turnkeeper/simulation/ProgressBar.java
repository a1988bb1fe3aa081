package io.turnkeeper.simulation;

import java.io.PrintWriter;

/** Draws how far a campaign is, on one line of a terminal. */
final class ProgressBar implements Progress {
  private static final int WIDTH = 40;

  private final PrintWriter out;

  ProgressBar(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void lived(int lives, int seeds) {
    draw(lives, seeds, "%d of %d lives".formatted(lives, seeds));
    if (lives == seeds) {
      out.printf("%n");
      out.flush();
    }
  }

  @Override
  public void shrinking(int tried, int most, int actions) {
    draw(
        tried,
        most,
        "a life failed; %d actions are enough for it, %d of %d were tried"
            .formatted(actions, tried, most));
  }

  private void draw(int done, int all, String what) {
    int filled = (int) ((long) WIDTH * done / all);
    out.printf("\r[%s%s] %s  ", "#".repeat(filled), " ".repeat(WIDTH - filled), what);
    out.flush();
  }
}
