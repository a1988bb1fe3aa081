package io.turnkeeper.simulation;

/** Hears how far a campaign is. */
interface Progress {
  /** Says nothing. */
  Progress SILENT =
      new Progress() {
        @Override
        public void lived(int lives, int seeds) {}

        @Override
        public void shrinking(int tries, int mostTries, int actions) {}
      };

  /** So many of the lives are over. */
  void lived(int lives, int seeds);

  /**
   * A life failed; so many parts of it were tried, and the smallest that fails has so many actions.
   */
  void shrinking(int tries, int mostTries, int actions);
}
