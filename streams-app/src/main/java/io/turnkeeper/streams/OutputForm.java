package io.turnkeeper.streams;

/** How a command prints: for people, or one JSON object a line for programs. */
public enum OutputForm {
  TABLE,
  JSON
}
