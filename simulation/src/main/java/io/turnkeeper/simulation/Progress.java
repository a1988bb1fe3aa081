package io.turnkeeper.simulation;

/** Hears how far a campaign is. */
interface Progress {
  /** Says nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void lived(int lives, int seeds) {}

        @Override
        public void shrinking(int tried, int most, int actions) {}
      };

  /** So many of the lives are over. */
  void lived(int lives, int seeds);

  /**
   * A life failed; so many actions were lived through to shrink it, of so many at most, and the
   * smallest part that fails has so many.
   */
  void shrinking(int tried, int most, int actions);
}
