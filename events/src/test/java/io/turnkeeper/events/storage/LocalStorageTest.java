package io.turnkeeper.events.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStorageTest extends StorageContract {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path dir;

  @Override
  protected Storage storage() {
    return local();
  }

  private LocalStorage local() {
    return new LocalStorage(dir.resolve("not there/yet"));
  }

  @Test
  void percentsAreEscapesInUrisOnly() {
    assertThat(LocalStorage.path("file:///a%20b/%C3%BC")).isEqualTo(Path.of("/a b/ü"));
    assertThat(LocalStorage.path("/a%20b")).isEqualTo(Path.of("/a%20b"));
    assertThat(LocalStorage.at("/a/./b/../c/")).isEqualTo(new LocalStorage(Path.of("/a/c")));
  }

  @Test
  void otherStoresAreRefusedByName() {
    assertThatThrownBy(() -> Storage.at("s3://bucket/wal"))
        .hasMessage("expected a local path, or a URI of file, but it is 's3://bucket/wal'");
    assertThatThrownBy(() -> LocalStorage.at("s3://bucket/wal"))
        .hasMessage("expected a local path or a file: URI, but it is 's3://bucket/wal'");
    assertThatThrownBy(() -> Storage.at("file:/a b")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLinkIsDeletedAndNotFollowed() throws IOException {
    Path elsewhere = Files.writeString(dir.resolve("elsewhere"), "x");
    local().createIfAbsent("folder/file", "y".getBytes(UTF_8));
    Files.createSymbolicLink(local().file("folder/link"), elsewhere);
    Files.createSymbolicLink(local().file("folder/links"), dir);
    local().deleteFolder("folder/");
    assertThat(elsewhere).hasContent("x");
    assertThat(local().file("folder")).doesNotExist();
  }

  @Test
  void aLinkToNothingIsNoFile() throws IOException {
    local().createIfAbsent("folder/file", "y".getBytes(UTF_8));
    Files.createSymbolicLink(local().file("folder/link"), dir.resolve("gone"));
    assertThat(local().list("folder/").files()).hasSize(1);
    assertThat(local().stat("folder/link")).isEmpty();
  }

  @Test
  void nothingOutsideIsReached() {
    assertThatThrownBy(() -> local().file("../file"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a name below");
  }

  @Test
  void aDraftThatSomebodyClearedAwayIsNotPublished() throws IOException {
    try (Draft draft = local().draft("folder/file")) {
      local().deleteFolder("folder/");
      Files.createDirectories(local().file("folder"));
      assertThat(draft.publish()).isFalse();
    }
    assertThat(local().stat("folder/file")).isEmpty();
  }

  @Test
  void whatCannotBeLookedAtIsNotTakenForAbsent() throws IOException {
    local().createIfAbsent("folder/file", "y".getBytes(UTF_8));
    String tooLong = "x".repeat(300);
    assertThatThrownBy(() -> local().stat("folder/" + tooLong)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> local().list(tooLong + "/")).isInstanceOf(IOException.class);
  }
}
