package io.turnkeeper.worker.trial;

/** The steps of a seal at which a writer can be stopped. */
enum WriterStep {
  /** It has the shard and wrote nothing. */
  OPENED,
  /** Its rows are in a temporary file. */
  APPENDED,
  /** It is inside the seal; the generation has no name. */
  NAMELESS,
  /** The generation has its name; nobody was told. */
  NAMED
}
