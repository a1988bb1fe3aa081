package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The names that Lance gives to manifests, and ours. */
class ManifestPathsTest {

  @Test
  void theNewestVersionSortsFirst() {
    assertThat(ManifestPaths.visible(1)).isEqualTo("_versions/18446744073709551614.manifest");
    assertThat(ManifestPaths.visible(2)).isEqualTo("_versions/18446744073709551613.manifest");
    assertThat(ManifestPaths.visible(Long.MAX_VALUE))
        .isEqualTo("_versions/09223372036854775808.manifest");
  }

  @Test
  void aVersionIsReadBackFromItsName() {
    for (long version : new long[] {1, 2, 1_000_000, Long.MAX_VALUE}) {
      assertThat(ManifestPaths.version(ManifestPaths.visible(version))).hasValue(version);
    }
  }

  @Test
  void otherFilesAreNoVersions() {
    assertThat(ManifestPaths.version("_versions/latest_version_hint.json")).isEmpty();
    assertThat(ManifestPaths.version("_versions/2.manifest-3f0c")).isEmpty();
    assertThat(ManifestPaths.version("_versions/1844674407370955161x.manifest")).isEmpty();
    assertThat(ManifestPaths.version("_versions/99999999999999999999.manifest")).isEmpty();
  }

  @Test
  void aStagedFileIsFoundWhateverLiesAbove() {
    assertThat(ManifestPaths.staged("data/a%20b/_versions/2.manifest-3f0c"))
        .contains("_versions/2.manifest-3f0c");
    assertThat(ManifestPaths.staged("data/table/2.manifest-3f0c")).isEmpty();
    assertThat(ManifestPaths.staged("2.manifest-3f0c")).isEmpty();
  }
}
