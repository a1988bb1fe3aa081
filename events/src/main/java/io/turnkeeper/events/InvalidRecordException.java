package io.turnkeeper.events;

import org.jspecify.annotations.Nullable;

/** Bytes from outside that are not a record we accept; goes to the rejected topic, with a code. */
public final class InvalidRecordException extends Exception {
  /** Why bytes are refused; the names are written to the rejected topic and counted. */
  public enum Code {
    /** A schema this version does not know; the record can be submitted again after an upgrade. */
    UNKNOWN_SCHEMA,
    /** A record without a key, so that nobody knows which table or pool it is for. */
    NULL_KEY,
    /** A record without a value, as deletes in a compacted topic are. */
    NULL_VALUE,
    /** The bytes do not begin with Avro's single-object marker. */
    NOT_SINGLE_OBJECT,
    /** The bytes end before the record does. */
    TRUNCATED,
    /** The bytes do not follow their schema, or go on after the record. */
    UNDECODABLE,
    /** A field has a value that its type does not allow. */
    OUT_OF_RANGE,
    /** The record, a text or a list is longer than its limit. */
    TOO_LARGE,
    /** A good record, but not one that belongs here. */
    UNEXPECTED_TYPE,
    /** A record whose key is not the table or pool its event is about. */
    WRONG_KEY,
    /** A record on another partition than its key hashes to; the reason names the setting. */
    WRONG_PARTITION,
    /**
     * A good record that the rules cannot take, for example since the state would grow too large.
     */
    NOT_FOLDABLE
  }

  private final Code code;

  public InvalidRecordException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public InvalidRecordException(Code code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
