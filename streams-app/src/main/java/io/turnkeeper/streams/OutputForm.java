package io.turnkeeper.streams.audit;

/** How a command prints: for people, or one JSON object a line for programs. */
enum OutputForm {
  TABLE,
  JSON
}
