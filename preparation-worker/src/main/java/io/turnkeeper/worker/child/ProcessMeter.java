package io.turnkeeper.worker.child;

import io.turnkeeper.events.storage.Moved;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What Linux says of a process: its memory, and the bytes its completed reads and writes moved. It
 * is read from outside, so that reading it counts for nobody. Elsewhere nothing is known.
 */
record ProcessMeter(Path directory) {
  private static final long KIB = 1_024;

  static ProcessMeter of(long pid) {
    return new ProcessMeter(Path.of("/proc", Long.toString(pid)));
  }

  /** From here on this process's peak is counted anew. */
  static void forgetOwnPeak() {
    try {
      Files.writeString(Path.of("/proc/self/clear_refs"), "5", StandardCharsets.US_ASCII);
    } catch (IOException e) {
      // The peak then includes earlier units: too much is told, never too little.
      return;
    }
  }

  Optional<Moved> io() {
    OptionalLong read = number("io", "rchar:");
    OptionalLong written = number("io", "wchar:");
    return read.isPresent() && written.isPresent()
        ? Optional.of(new Moved(read.getAsLong(), written.getAsLong()))
        : Optional.empty();
  }

  /** The memory it uses now. */
  OptionalLong residentBytes() {
    return kibibytes("VmRSS:");
  }

  /** The most memory it used. */
  OptionalLong peakBytes() {
    return kibibytes("VmHWM:");
  }

  private OptionalLong kibibytes(String key) {
    OptionalLong number = number("status", key);
    return number.isPresent() ? OptionalLong.of(number.getAsLong() * KIB) : number;
  }

  private OptionalLong number(String file, String key) {
    try {
      for (String line : Files.readAllLines(directory.resolve(file), StandardCharsets.US_ASCII)) {
        if (line.startsWith(key)) {
          return OptionalLong.of(
              Long.parseLong(line.substring(key.length()).replace("kB", "").strip()));
        }
      }
    } catch (IOException e) {
      // It has ended, or this is not Linux.
      return OptionalLong.empty();
    }
    return OptionalLong.empty();
  }
}
