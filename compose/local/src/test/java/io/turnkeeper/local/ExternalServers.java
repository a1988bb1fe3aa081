package io.turnkeeper.local;

import java.nio.file.Path;

/** A broker and an etcd that the program under test did not start. */
public final class ExternalServers implements AutoCloseable {
  private final EtcdProcess etcd;
  private final EmbeddedBroker broker;

  public ExternalServers(Path folder) {
    Ports ports = new Ports(folder.resolve("ports.properties"));
    etcd =
        EtcdProcess.start(
            EtcdBinary.find(System.getenv()),
            folder.resolve("etcd"),
            folder.resolve("etcd.log"),
            ports.choose("etcd", Ports.ANY),
            ports.choose("etcd-peer", Ports.ANY));
    broker =
        EmbeddedBroker.start(
            folder.resolve("kafka"),
            ports.choose("kafka", Ports.ANY),
            ports.choose("kafka-controller", Ports.ANY));
    etcd.awaitHealthy();
  }

  public Launched.Addresses addresses() {
    return new Launched.Addresses(broker.bootstrap(), etcd.endpoint(), "");
  }

  @Override
  public void close() {
    broker.close();
    etcd.close();
  }
}
