package io.turnkeeper.events.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every storage keeps, whatever it is made of. */
public abstract class StorageContract {
  /** Names that some layer may take for something else, and two spellings of one letter. */
  private static final String[] ODD_NAMES = {
    "a b", "a%20b", "50%", "a+b", "a#b", "a?b", "a&b=c", "ü", "u\u0308", "東京", "a\\b", "'\"", "~"
  };

  /** An empty storage; the same one for the whole of a test. */
  protected abstract Storage storage();

  @Test
  void whatWasCreatedIsThereAtOnce() throws IOException {
    assertThat(create("a/b/one", "12345")).isTrue();
    assertThat(content("a/b/one")).isEqualTo("12345");
    assertThat(storage().stat("a/b/one").orElseThrow().bytes()).isEqualTo(5);
    assertThat(names("a/b/")).containsExactly("a/b/one");
  }

  @Test
  void aNameIsTakenForGood() throws IOException {
    assertThat(create("a", "first")).isTrue();
    assertThat(create("a", "second")).isFalse();
    assertThat(content("a")).isEqualTo("first");
    create("b", "third");
    assertThat(storage().copyIfAbsent("b", "a")).isFalse();
    assertThat(content("a")).isEqualTo("first");
  }

  @Test
  void ofManyWhoWantOneNameOneGetsIt() throws Exception {
    int writers = 16;
    ExecutorService pool = Executors.newFixedThreadPool(writers);
    try {
      List<Future<Boolean>> outcomes = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        String content = "writer " + i;
        outcomes.add(pool.submit(() -> create("wanted", content)));
      }
      List<String> winners = new ArrayList<>();
      for (int i = 0; i < writers; i++) {
        if (outcomes.get(i).get()) {
          winners.add("writer " + i);
        }
      }
      assertThat(winners).containsExactly(content("wanted"));
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aDraftIsNotThereBeforeItIsPublished() throws IOException {
    try (Draft draft = storage().draft("folder/file")) {
      write(draft.channel(), "draft");
      assertThat(storage().stat("folder/file")).isEmpty();
      assertThat(names("folder/")).allMatch(name -> name.endsWith(Storage.DRAFT_SUFFIX));
      assertThat(draft.publish()).isTrue();
      assertThat(content("folder/file")).isEqualTo("draft");
    }
    assertThat(names("folder/")).containsExactly("folder/file");
  }

  @Test
  void aDraftIsWrittenInAnyOrder() throws IOException {
    try (Draft draft = storage().draft("file")) {
      write(draft.channel(), "head, body and too much");
      draft.channel().truncate(10);
      draft.channel().position(0);
      write(draft.channel(), "HEAD");
      draft.publish();
    }
    assertThat(content("file")).isEqualTo("HEAD, body");
  }

  @Test
  void publishingAgainDoesNotApplyTwice() throws IOException {
    try (Draft draft = storage().draft("file")) {
      write(draft.channel(), "once");
      assertThat(draft.publish()).isTrue();
      assertThat(draft.publish()).isFalse();
    }
    assertThat(content("file")).isEqualTo("once");
  }

  @Test
  void aDraftThatIsGivenUpLeavesNothing() throws IOException {
    try (Draft draft = storage().draft("folder/file")) {
      write(draft.channel(), "draft");
    }
    assertThat(names("folder/")).isEmpty();
  }

  @Test
  void aCopyOutlivesItsSource() throws IOException {
    create("source", "content");
    assertThat(storage().copyIfAbsent("source", "new/copy")).isTrue();
    storage().delete(List.of("source"));
    assertThat(content("new/copy")).isEqualTo("content");
  }

  @Test
  void aCopyUnderANewNameMayBeRepeated() throws IOException {
    create("source", "content");
    storage().copyNew("source", "new/copy");
    storage().copyNew("source", "new/copy");
    storage().delete(List.of("source"));
    assertThat(content("new/copy")).isEqualTo("content");
    assertThatThrownBy(() -> storage().copyNew("source", "new/other"))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(names("new/")).containsExactly("new/copy");
  }

  @Test
  void whatIsNotThereIsNotRead() throws IOException {
    create("folder/file", "x");
    assertThat(storage().stat("none")).isEmpty();
    assertThat(storage().stat("folder")).as("a folder is no file").isEmpty();
    assertThatThrownBy(() -> storage().read("none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> storage().copyIfAbsent("none", "copy"))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(storage().stat("copy")).isEmpty();
  }

  @Test
  void aFileIsReadFromAnyPosition() throws IOException {
    create("file", "0123456789");
    try (SeekableByteChannel channel = storage().read("file")) {
      assertThat(channel.size()).isEqualTo(10);
      ByteBuffer buffer = ByteBuffer.allocate(3);
      channel.position(6).read(buffer);
      assertThat(new String(buffer.array(), UTF_8)).isEqualTo("678");
      assertThat(channel.position(10).read(buffer.clear())).isEqualTo(-1);
    }
  }

  @Test
  void aFolderIsListedWithoutWhatLiesDeeper() throws IOException {
    create("top", "1");
    create("a/2", "22");
    create("a/1", "1");
    create("a/b/3", "333");
    create("ab/4", "4");
    Listing listing = storage().list("a/");
    assertThat(listing.files()).extracting(StoredFile::name).containsExactly("a/1", "a/2");
    assertThat(listing.folders()).containsExactly("a/b/");
    assertThat(listing.bytes()).isEqualTo(3);
    assertThat(storage().list("").files()).extracting(StoredFile::name).containsExactly("top");
    assertThat(storage().list("").folders()).containsExactly("a/", "ab/");
    assertThat(storage().list("none/")).isEqualTo(Listing.EMPTY);
  }

  @Test
  void whatIsDeletedIsGoneAtOnceAndMayBeDeletedAgain() throws IOException {
    create("a/1", "1");
    create("a/2", "2");
    create("a/3", "3");
    storage().delete(List.of("a/1", "a/none", "a/3"));
    assertThat(names("a/")).containsExactly("a/2");
    storage().delete(List.of("a/1"));
    storage().delete(List.of());
  }

  @Test
  void aFolderIsDeletedAtAnyDepthAndNothingBesideIt() throws IOException {
    create("a/1", "1");
    create("a/b/c/2", "2");
    create("ab/3", "3");
    storage().deleteFolder("a/");
    assertThat(storage().list("").folders()).containsExactly("ab/");
    assertThat(content("ab/3")).isEqualTo("3");
    storage().deleteFolder("a/");
    assertThat(create("a/1", "again")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 30})
  void anyNumberOfFilesIsListedInOrder(int count) throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      expected.add("many/%04d".formatted(i));
      create(expected.get(i), "");
    }
    assertThat(names("many/")).isEqualTo(expected);
    storage().delete(expected);
    assertThat(names("many/")).isEmpty();
  }

  @Test
  void aNameIsTakenAsItIsWritten() throws IOException {
    for (String name : ODD_NAMES) {
      assertThat(create("odd/" + name, name)).as(name).isTrue();
    }
    assertThat(names("odd/")).hasSize(ODD_NAMES.length);
    for (String name : ODD_NAMES) {
      assertThat(content("odd/" + name)).isEqualTo(name);
    }
  }

  @Test
  void theSameStorageIsReachedByItsLocation() throws IOException {
    create("file", "x");
    assertThat(Storage.at(storage().location()).location()).isEqualTo(storage().location());
    assertThat(storage().location()).doesNotEndWith("/").endsWith(storage().key());
  }

  private boolean create(String name, String content) throws IOException {
    return storage().createIfAbsent(name, content.getBytes(UTF_8));
  }

  private String content(String name) throws IOException {
    return new String(storage().content(name), UTF_8);
  }

  private List<String> names(String folder) throws IOException {
    return storage().list(folder).files().stream().map(StoredFile::name).toList();
  }

  private static void write(SeekableByteChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }
}
