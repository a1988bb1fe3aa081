package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirTest {
  @TempDir Path temp;

  @Test
  void aDirectoryInUseIsRefusedAndFreeAfterwards() {
    Path root = temp.resolve("data");
    try (DataDir first = DataDir.open(root)) {
      assertThatThrownBy(() -> DataDir.open(root))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("in use")
          .hasMessageContaining(root.toString());
      assertThat(first.root()).isEqualTo(root);
    }
    DataDir.open(root).close();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "x");
    assertThatThrownBy(() -> DataDir.open(file))
        .isInstanceOf(ConfigException.class)
        .hasMessage("expected a data directory, but " + file + " is a file");
  }

  @Test
  void aPathThatKafkaWouldReadAsTwoIsRefused() {
    assertThatThrownBy(() -> DataDir.open(temp.resolve("a,b")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("without ','");
    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void aDirectoryIsOneHoweverItsPathIsWritten() throws Exception {
    Path root = Files.createDirectory(temp.resolve("data"));
    Path link = Files.createSymbolicLink(temp.resolve("link"), root);
    try (DataDir first = DataDir.open(link)) {
      assertThat(first.root()).isEqualTo(root.toRealPath());
      assertThatThrownBy(() -> DataDir.open(root.resolve("..").resolve("data")))
          .hasMessageContaining("in use");
    }
  }

  @Test
  void whatAnEarlierDemoLeftIsClearedAndNothingElse() throws Exception {
    Path root = temp.resolve("data");
    DataDir.openFresh(root, "demo").close();
    Files.writeString(root.resolve("old"), "x");
    DataDir.openFresh(root, "demo").close();
    assertThat(root.resolve("old")).doesNotExist();

    Path foreign = Files.createDirectory(temp.resolve("foreign"));
    Files.writeString(foreign.resolve("mine"), "x");
    assertThatThrownBy(() -> DataDir.openFresh(foreign, "demo"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is neither");
    assertThat(foreign)
        .isDirectoryContaining("glob:**/mine")
        .isDirectoryNotContaining("glob:**/lock");
  }

  @Test
  void whatWasKeptOnAfterADemoIsNotClearedByTheNextOne() throws Exception {
    Path root = temp.resolve("data");
    DataDir.openFresh(root, "demo").close();
    DataDir.open(root).close();
    Path mine = Files.writeString(root.resolve("mine"), "x");
    assertThatThrownBy(() -> DataDir.openFresh(root, "demo")).isInstanceOf(ConfigException.class);
    assertThat(mine).exists();
  }

  @Test
  void theInstanceIdIsKept() {
    String first;
    try (DataDir dir = DataDir.open(temp)) {
      first = dir.instanceId();
    }
    try (DataDir dir = DataDir.open(temp)) {
      assertThat(dir.instanceId()).isEqualTo(first);
    }
  }

  @Test
  void portsAreRemembered() {
    Path file = temp.resolve("ports.properties");
    Ports ports = new Ports(file);
    int kafka = ports.choose("kafka", Ports.ANY);
    int etcd = ports.choose("etcd", Ports.ANY);
    ports.save();
    assertThat(kafka).isNotEqualTo(etcd);
    assertThat(new Ports(file).choose("kafka", Ports.ANY)).isEqualTo(kafka);
  }

  @Test
  void aBusyPortIsRefusedByName() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> new Ports(temp.resolve("p")).choose("kafka", socket.getLocalPort()))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("port " + socket.getLocalPort() + " for kafka is in use");
    }
  }

  @Test
  void aMissingEtcdIsNamedWithTheCommandsThatInstallIt() {
    assertThatThrownBy(() -> EtcdBinary.find(Map.of("ETCD_BIN", temp + "/nothing")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("ETCD_BIN");
  }
}
