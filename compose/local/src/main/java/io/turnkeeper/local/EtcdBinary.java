package io.turnkeeper.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where the etcd program lies. */
final class EtcdBinary {
  private static final List<String> USUAL_PLACES =
      List.of("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/usr/sbin");

  private EtcdBinary() {}

  /**
   * Looks at {@code ETCD_BIN}, then along {@code PATH}, then in the usual places.
   *
   * @throws ConfigException with the command that installs it
   */
  static Path find(Map<String, String> environment) {
    String given = environment.getOrDefault("ETCD_BIN", "");
    if (!given.isEmpty()) {
      Path path = Path.of(given);
      if (!Files.isExecutable(path)) {
        throw new ConfigException(
            "expected ETCD_BIN to name an executable file, but it is '" + given + "'");
      }
      return path;
    }
    return Stream.concat(
            Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)),
            USUAL_PLACES.stream())
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, "etcd"))
        .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
        .findFirst()
        .orElseThrow(() -> new ConfigException(missing()));
  }

  private static String missing() {
    return """
        etcd (3.4 or newer) was not found in ETCD_BIN, on PATH or in the usual places. Install it:
          Debian, Ubuntu:  apt-get install -y etcd-server && systemctl disable --now etcd
          macOS:           brew install etcd
          Fedora:          dnf install -y etcd""";
  }
}
