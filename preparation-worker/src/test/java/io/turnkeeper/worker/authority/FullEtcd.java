package io.turnkeeper.worker.authority;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Maintenance;
import io.etcd.jetcd.maintenance.AlarmMember;
import io.etcd.jetcd.options.CompactOption;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An etcd with room for very little, and an operator of it. */
public final class FullEtcd implements AutoCloseable {
  private static final ByteSequence RUBBISH = ByteSequence.from("rubbish", UTF_8);
  private static final int RUBBISH_BYTES = 256 << 10;

  private final EtcdProcess process;
  private final Client client;

  public FullEtcd() throws IOException, InterruptedException {
    process = EtcdProcess.start("http", List.of("--quota-backend-bytes=4194304"));
    client = Client.builder().endpoints(process.endpoint()).waitForReady(false).build();
  }

  public EtcdProcess process() {
    return process;
  }

  /** Writes until etcd takes no more. */
  public void fill() throws Exception {
    ByteSequence value = ByteSequence.from(new byte[RUBBISH_BYTES]);
    try {
      while (true) {
        answer(client.getKVClient().put(RUBBISH, value));
      }
    } catch (ExecutionException e) {
      if (!EtcdErrors.isOutOfSpace(e)) {
        throw e;
      }
    }
  }

  /** What docs/operating.md tells an operator to do. */
  public void makeSpace() throws Exception {
    long revision = answer(client.getKVClient().get(RUBBISH)).getKvs().get(0).getModRevision();
    answer(
        client
            .getKVClient()
            .compact(revision, CompactOption.builder().withCompactPhysical(true).build()));
    Maintenance maintenance = client.getMaintenanceClient();
    answer(maintenance.defragmentMember(process.endpoint().toString()));
    for (AlarmMember alarm : answer(maintenance.listAlarms()).getAlarms()) {
      answer(maintenance.alarmDisarm(alarm));
    }
  }

  private static <T> T answer(CompletableFuture<T> call)
      throws ExecutionException, TimeoutException, InterruptedException {
    return call.get(20, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    client.close();
    process.close();
  }
}
