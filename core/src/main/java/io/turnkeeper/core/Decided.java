package io.turnkeeper.core;

/**
 * A decision with the reason people are shown.
 *
 * @param decision what to do
 * @param reason why, one line, at most {@link Require#MAX_TEXT} characters
 */
public record Decided<D extends Decision>(D decision, String reason) {
  public Decided {
    Require.text("reason", reason);
  }
}
