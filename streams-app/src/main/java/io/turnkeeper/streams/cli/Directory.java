package io.turnkeeper.streams.cli;

import io.turnkeeper.events.storage.GivenPath;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An argument that names a directory, which may be missing. */
public final class Directory implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    try {
      return GivenPath.directory(text);
    } catch (IllegalArgumentException e) {
      throw (TypeConversionException) new TypeConversionException(e.getMessage()).initCause(e);
    }
  }
}
