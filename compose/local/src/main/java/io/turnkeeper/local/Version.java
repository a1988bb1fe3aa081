package io.turnkeeper.local;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {"turnkeeper " + (version == null ? "development build" : version)};
  }
}
