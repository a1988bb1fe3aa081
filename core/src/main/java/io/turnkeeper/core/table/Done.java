package io.turnkeeper.core.table;

/**
 * What is remembered of the last unit of a kind.
 *
 * @param publishedVersion the table's version after its last publication; demand seen at an older
 *     version is not believed
 * @param nothingAtVersion the version at which the kind found nothing to do, 0 if none
 * @param peakBytes the memory that units of the kind were seen to need, 0 if none said so
 * @param lastSuccessMillis when a unit of the kind last succeeded, 0 if none did
 */
public record Done(
    long publishedVersion, long nothingAtVersion, long peakBytes, long lastSuccessMillis) {
  /** Nothing done yet. */
  public static final Done NOTHING = new Done(0, 0, 0, 0);

  Done published(long version, long peak, long atMillis) {
    return new Done(Math.max(publishedVersion, version), 0, peakBytes, atMillis).withPeak(peak);
  }

  /** A higher peak counts at once, a lower one by a quarter: one outlier is forgotten in time. */
  Done withPeak(long peak) {
    if (peak == 0) {
      return this;
    }
    long next = Math.max(peak, peakBytes - (peakBytes - peak) / 4);
    return new Done(publishedVersion, nothingAtVersion, next, lastSuccessMillis);
  }

  Done foundNothing(long version, long atMillis) {
    return new Done(publishedVersion, version, peakBytes, atMillis);
  }

  Done forgettingNothing() {
    return new Done(publishedVersion, 0, peakBytes, lastSuccessMillis);
  }
}
