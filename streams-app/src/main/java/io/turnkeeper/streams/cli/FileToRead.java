package io.turnkeeper.streams.cli;

import io.turnkeeper.events.storage.GivenPath;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An argument that names a file to read. */
public final class FileToRead implements ITypeConverter<Path> {
  @Override
  public Path convert(String text) {
    try {
      return GivenPath.toRead(text);
    } catch (IllegalArgumentException e) {
      throw (TypeConversionException) new TypeConversionException(e.getMessage()).initCause(e);
    }
  }
}
