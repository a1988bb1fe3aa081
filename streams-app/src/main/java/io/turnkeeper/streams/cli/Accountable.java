package io.turnkeeper.streams.cli;

import picocli.CommandLine.Option;

/** Who acts by hand, and why: both are kept in the journal. */
public final class Accountable {
  @Option(
      names = "--author",
      defaultValue = "${sys:user.name}",
      converter = Words.class,
      description = "who decided")
  private String author = "";

  @Option(
      names = "--reason",
      required = true,
      converter = Words.class,
      description = "why, for the journal")
  private String reason = "";

  public String author() {
    return author;
  }

  public String reason() {
    return reason;
  }
}
