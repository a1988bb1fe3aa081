package io.turnkeeper.events.storage;

/** Bytes that were moved to and from somewhere; what failed, or came in part, moved none. */
public record Moved(long read, long written) {
  public static final Moved NOTHING = new Moved(0, 0);

  public Moved minus(Moved before) {
    return new Moved(read - before.read, written - before.written);
  }

  public long total() {
    return read + written;
  }
}
