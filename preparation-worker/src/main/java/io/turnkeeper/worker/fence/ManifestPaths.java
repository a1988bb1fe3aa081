package io.turnkeeper.worker.fence;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where manifests lie below a table's root: those that readers see, and those that wait. */
public final class ManifestPaths {
  public static final String VERSIONS = "_versions/";

  static final String FENCE = "_fence/";
  private static final String SUFFIX = ".manifest";
  private static final Pattern PENDING =
      Pattern.compile("_fence/(\\d{1,18})-[0-9a-f-]{36}\\.pending");
  private static final Pattern STAGED =
      Pattern.compile("(_versions/\\d{20}\\.manifest)-[0-9a-f-]{36}");

  /** The length of the largest unsigned 64-bit number in decimal. */
  private static final int DIGITS = 20;

  private ManifestPaths() {}

  /** The name under which readers find {@code version}; the newest sorts first. */
  public static String visible(long version) {
    String inverted = Long.toUnsignedString(~version);
    return VERSIONS + "0".repeat(DIGITS - inverted.length()) + inverted + SUFFIX;
  }

  /** A new name, never used before, for a manifest that waits for the authority's word. */
  static String pending(long version) {
    return FENCE + version + "-" + UUID.randomUUID() + ".pending";
  }

  /** The version that readers find under {@code path}; empty for any other file. */
  public static OptionalLong version(String path) {
    if (path.length() != VERSIONS.length() + DIGITS + SUFFIX.length()
        || !path.startsWith(VERSIONS)
        || !path.endsWith(SUFFIX)) {
      return OptionalLong.empty();
    }
    String digits = path.substring(VERSIONS.length(), VERSIONS.length() + DIGITS);
    try {
      return OptionalLong.of(~Long.parseUnsignedLong(digits));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  /** The version of a manifest that waits under {@code path}; empty for any other file. */
  static OptionalLong pendingVersion(String path) {
    Matcher matcher = PENDING.matcher(path);
    return matcher.matches()
        ? OptionalLong.of(Long.parseLong(matcher.group(1)))
        : OptionalLong.empty();
  }

  /** The version of a manifest that Lance staged under {@code path}; empty for any other file. */
  static OptionalLong stagedVersion(String path) {
    Matcher matcher = STAGED.matcher(path);
    return matcher.matches() ? version(matcher.group(1)) : OptionalLong.empty();
  }

  /**
   * The staged file that Lance names, below the table's root; empty if it lies elsewhere. Lance
   * leaves out the leading slash and may escape characters of the directories above.
   */
  static Optional<String> staged(String lancePath) {
    int slash = lancePath.lastIndexOf('/');
    String directory = slash < 0 ? "" : lancePath.substring(0, slash + 1);
    return directory.endsWith("/" + VERSIONS)
        ? Optional.of(VERSIONS + lancePath.substring(slash + 1))
        : Optional.empty();
  }
}
