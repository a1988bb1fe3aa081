package io.turnkeeper.worker.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WalGenerationsTest {
  private static final ShardId SHARD = new ShardId("s1");

  @TempDir Path dir;
  private RootAllocator allocator = new RootAllocator();
  private Generations generations;
  private WalGenerations wal;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
    generations = new Generations(dir, allocator);
    wal = new WalGenerations(Storage.at(dir.toString()));
  }

  @AfterEach
  void nothingLeaks() {
    allocator.close();
  }

  @Test
  void aCompleteGenerationIsCounted() throws Exception {
    generations.seal(SHARD, 1, 0, 250);
    Path path = generations.path(SHARD, 1);

    GenerationSize size = wal.check(wal.file(SHARD, 1));

    assertThat(size).isEqualTo(new GenerationSize(Files.size(path), 250, 3));
  }

  @Test
  void aMissingFileIsNamed() {
    assertInvalid(7, "the file is missing");
  }

  @Test
  void anEmptyFileIsRefused() throws Exception {
    write(1, new byte[0]);

    assertInvalid(1, "the file is empty");
  }

  @Test
  void everyTruncationIsRefused() throws Exception {
    generations.seal(SHARD, 1, 0, 5);
    byte[] whole = Files.readAllBytes(generations.path(SHARD, 1));
    for (int length = 1; length < whole.length; length++) {
      write(1, Arrays.copyOf(whole, length));
      assertInvalid(1, "truncated");
    }
  }

  @Test
  void bytesBehindTheMarkerAreRefused() throws Exception {
    generations.seal(SHARD, 1, 0, 5);
    byte[] whole = Files.readAllBytes(generations.path(SHARD, 1));
    write(1, Arrays.copyOf(whole, whole.length + 3));

    assertInvalid(1, "3 bytes follow the end-of-stream marker");
  }

  @ParameterizedTest
  @ValueSource(strings = {"id,n\nk1,1\nk2,2\n", "ARROW1\0\0 and then a footer", "PAR1PAR1"})
  void whatIsNotAnArrowStreamIsRefused(String content) throws Exception {
    write(1, content.getBytes(StandardCharsets.UTF_8));

    assertInvalid(1, "it is not one");
  }

  @Test
  void anotherSchemaIsRefused() throws Exception {
    generations.seal(SHARD, 1, 0, 5);
    Schema other =
        new Schema(
            List.of(
                Field.nullable("id", new ArrowType.Utf8()),
                Field.nullable("n", new ArrowType.Int(32, true))));

    assertThatThrownBy(() -> wal.open(wal.file(SHARD, 1), other, allocator))
        .isInstanceOf(InvalidWalException.class)
        .hasMessageContaining("n: Int(64, true) where the table has n: Int(32, true)");
  }

  @Test
  void manyGenerationsBecomeOneStream() throws Exception {
    generations.seal(SHARD, 1, 0, 1);
    generations.seal(SHARD, 2, 1, 250);
    generations.seal(SHARD, 3, 251, 0);
    generations.seal(SHARD, 4, 251, 4);

    assertThat(read(1, 2, 3, 4)).hasSize(255).doesNotHaveDuplicates().contains(0L, 254L);
  }

  /** Whatever bytes are damaged, the reader answers or refuses, and leaks nothing. */
  @Test
  void damagedBytesNeverEscape() throws Exception {
    generations.seal(SHARD, 1, 0, 20);
    byte[] whole = Files.readAllBytes(generations.path(SHARD, 1));
    Random random = new Random(7);
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      byte[] damaged = whole.clone();
      ByteBuffer.wrap(damaged).putInt(random.nextInt(damaged.length - 4), random.nextInt());
      write(1, damaged);
      try {
        wal.check(wal.file(SHARD, 1));
        read(1);
      } catch (InvalidWalException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(100);
  }

  private List<Long> read(long... numbers) throws Exception {
    List<GenerationFile> files =
        Arrays.stream(numbers).mapToObj(number -> wal.file(SHARD, number)).toList();
    List<Long> read = new ArrayList<>();
    try (MergeStream stream =
        new MergeStream(
            allocator, wal, files, Generations.SCHEMA, MergeStream.ALL, (bytes, rows) -> true)) {
      while (stream.loadNextBatch()) {
        BigIntVector values = (BigIntVector) stream.getVectorSchemaRoot().getVector("n");
        for (int i = 0; i < values.getValueCount(); i++) {
          if (!values.isNull(i)) {
            read.add(values.get(i));
          }
        }
      }
      stream.rethrowFailure();
    }
    return read;
  }

  private void write(long generation, byte[] bytes) throws IOException {
    Path path = generations.path(SHARD, generation);
    Files.createDirectories(path.getParent());
    Files.write(path, bytes);
  }

  private void assertInvalid(long generation, String reason) {
    assertThatThrownBy(() -> wal.check(wal.file(SHARD, generation)))
        .isInstanceOfSatisfying(
            InvalidWalException.class,
            e -> {
              assertThat(e.shard()).isEqualTo(SHARD);
              assertThat(e.generation()).isEqualTo(generation);
              assertThat(e)
                  .hasMessageContaining(generations.path(SHARD, generation).toString())
                  .hasMessageContaining(reason);
            });
  }
}
