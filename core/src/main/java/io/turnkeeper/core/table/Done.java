package io.turnkeeper.core.table;

/**
 * What is remembered of the last unit of a kind.
 *
 * @param publishedVersion the table's version after its last publication; demand seen at an older
 *     version is not believed
 * @param nothingAtVersion the version at which the kind found nothing to do, 0 if none
 * @param peakBytes the most memory a unit of the kind reported, 0 if none did
 * @param lastSuccessMillis when a unit of the kind last succeeded, 0 if none did
 */
public record Done(
    long publishedVersion, long nothingAtVersion, long peakBytes, long lastSuccessMillis) {
  /** Nothing done yet. */
  public static final Done NOTHING = new Done(0, 0, 0, 0);

  Done published(long version, long peak, long atMillis) {
    return new Done(Math.max(publishedVersion, version), 0, Math.max(peakBytes, peak), atMillis);
  }

  Done foundNothing(long version, long atMillis) {
    return new Done(publishedVersion, version, peakBytes, atMillis);
  }

  Done forgettingNothing() {
    return new Done(publishedVersion, 0, peakBytes, lastSuccessMillis);
  }
}
