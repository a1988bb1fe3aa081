package io.turnkeeper.streams.read;

import io.turnkeeper.streams.cli.Directory;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which scheduler instance is asked. */
public final class ServerOptions {
  /** The file in a local installation's directory that names its ports. */
  public static final String PORTS_FILE = "ports.properties";

  /** The name of the port for reads in that file. */
  public static final String PORT = "read";

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--server",
      paramLabel = "HOST:PORT",
      description = "any instance of the scheduler, as its first lines say")
  private @Nullable String server;

  @Option(
      names = {"--data-dir", "--data"},
      paramLabel = "DIR",
      converter = Directory.class,
      defaultValue = ".turnkeeper",
      description = "without --server: the directory of a running 'up' (default: ${DEFAULT-VALUE})")
  private Path dataDir = Path.of(".turnkeeper");

  ReadClient client() {
    String address = server == null ? "127.0.0.1:" + rememberedPort() : server;
    try {
      URI uri = URI.create("http://" + address);
      if (uri.getHost() != null && uri.getPort() > 0 && uri.getPath().isEmpty()) {
        return new ReadClient(uri);
      }
    } catch (IllegalArgumentException e) {
      throw notAnAddress(address, e);
    }
    throw notAnAddress(address, null);
  }

  private ParameterException notAnAddress(String text, @Nullable Exception cause) {
    return new ParameterException(
        spec.commandLine(), "expected HOST:PORT for --server, but it is " + text, cause);
  }

  private String rememberedPort() {
    Path file = dataDir.resolve(PORTS_FILE);
    Properties ports = new Properties();
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        ports.load(reader);
      } catch (IOException e) {
        throw new ParameterException(spec.commandLine(), "cannot read " + file + ": " + e, e);
      }
    }
    String port = ports.getProperty(PORT);
    if (port == null) {
      throw new ParameterException(
          spec.commandLine(),
          "expected --server HOST:PORT, or the --data-dir of a running 'up', but "
              + file
              + " names no port for reads");
    }
    return port;
  }
}
