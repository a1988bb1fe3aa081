package io.turnkeeper.local.demo;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.local.ConfigException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowSourceTest {
  private static final Path FLIGHTS = Path.of("data/flights-20k.arrow");

  @TempDir Path temp;

  @Test
  void givesTheFilesRowsWithIdsAndStartsAgainAtTheEnd() throws Exception {
    try (BufferAllocator allocator = new RootAllocator();
        RowSource rows = RowSource.open(FLIGHTS, allocator)) {
      assertThat(rows.schema().getFields())
          .extracting("name")
          .containsExactly("delay", "distance", "time", "id");
      String firstDelay;
      try (VectorSchemaRoot first = rows.next(19_999, "a", 7)) {
        assertThat(first.getRowCount()).isEqualTo(19_999);
        assertThat(first.getVector("id").getObject(1)).hasToString("a-000000000008");
        firstDelay =
            first.getVector("delay").getObject(0) + " " + first.getVector("distance").getObject(0);
      }
      try (VectorSchemaRoot last = rows.next(10, "a", 0)) {
        assertThat(last.getRowCount()).isEqualTo(1);
      }
      try (VectorSchemaRoot again = rows.next(10, "b", 0)) {
        assertThat(again.getRowCount()).isEqualTo(10);
        assertThat(
                again.getVector("delay").getObject(0)
                    + " "
                    + again.getVector("distance").getObject(0))
            .isEqualTo(firstDelay);
      }
    }
  }

  @Test
  void whatIsNotArrowIsRefusedInOneLine() throws Exception {
    byte[] good = Files.readAllBytes(FLIGHTS);
    refuses(Files.writeString(temp.resolve("text.arrow"), "delay,distance\n1,2\n"));
    refuses(Files.write(temp.resolve("empty.arrow"), new byte[0]));
    refuses(Files.write(temp.resolve("cut.arrow"), java.util.Arrays.copyOf(good, good.length / 2)));
    refuses(temp.resolve("absent.arrow"));
    refuses(temp);
  }

  @Test
  void twoColumnsOfOneNameAreRefused() throws Exception {
    Path file = temp.resolve("twice.arrow");
    Field price = Field.nullable("price", new ArrowType.Int(64, true));
    Schema twice = new Schema(List.of(price, price));
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(twice, allocator);
        ArrowFileWriter writer =
            new ArrowFileWriter(root, null, FileChannel.open(file, CREATE, WRITE))) {
      root.allocateNew();
      root.setRowCount(1);
      writer.start();
      writer.writeBatch();
      writer.end();
    }
    refuses(file);
  }

  private void refuses(Path file) {
    try (BufferAllocator allocator = new RootAllocator()) {
      assertThatThrownBy(() -> RowSource.open(file, allocator))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(file.toString())
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }
  }
}
