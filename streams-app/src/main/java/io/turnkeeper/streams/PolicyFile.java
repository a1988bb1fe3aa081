package io.turnkeeper.streams;

import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.events.policy.InvalidPolicyException;
import io.turnkeeper.events.policy.PolicyJson;
import io.turnkeeper.events.storage.GivenPath;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A policy document in a file, as operators hand it to commands. */
public final class PolicyFile {
  private PolicyFile() {}

  /**
   * Reads a document.
   *
   * @throws ConfigException naming the file and every field that is unknown or out of range
   */
  public static PolicyDocument read(Path file) throws ConfigException {
    try {
      return PolicyJson.read(Files.readString(file));
    } catch (InvalidPolicyException e) {
      throw new ConfigException(file + ": " + e.getMessage(), e);
    } catch (CharacterCodingException e) {
      throw new ConfigException("expected text in UTF-8, but " + file + " is not", e);
    } catch (IOException e) {
      throw new ConfigException("cannot read " + file + ": " + GivenPath.reason(e), e);
    }
  }
}
