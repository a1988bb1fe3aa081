package io.turnkeeper.streams;

import java.util.Locale;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * How the instances of one scheduler share its partitions, and where each answers reads.
 *
 * @param protocol how partitions are shared out
 * @param listen where this instance listens for reads
 * @param advertised where the others reach it for reads; null if it answers none
 */
public record Sharing(Protocol protocol, HostInfo listen, @Nullable HostInfo advertised) {
  /** Any free port of this machine alone. */
  private static final HostInfo ANY_PORT = new HostInfo("127.0.0.1", 0);

  /** One instance, or several that answer no reads. */
  public static final Sharing DEFAULT = new Sharing(Protocol.CLASSIC, ANY_PORT, null);

  /** How Kafka shares partitions out. */
  public enum Protocol {
    /** By an instance; it knows static members, so that a quick restart moves nothing. */
    CLASSIC,
    /** By the brokers. */
    STREAMS;

    /** As Kafka's setting spells it. */
    String setting() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The same, reached by others at {@code address}. */
  public Sharing at(HostInfo address) {
    return new Sharing(protocol, listen, address);
  }
}
