package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.storage.s3.Front;
import io.turnkeeper.storage.s3.Front.Deed;
import io.turnkeeper.storage.s3.TestStore;
import io.turnkeeper.worker.wal.Generations;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import picocli.CommandLine;

/** Stores on which no table may rest. */
@ExtendWith(InBucket.class)
class DoctorIT extends BenchTestCase {
  private static final Front FRONT = TestStore.ofThisProcess();

  private final StringWriter said = new StringWriter();

  @AfterEach
  void heal() {
    FRONT.deal(request -> Deed.PASS);
  }

  private int doctor(String... places) {
    return new CommandLine(new DoctorCommand())
        .setOut(new PrintWriter(said))
        .setErr(new PrintWriter(said))
        .execute(places);
  }

  @Test
  void whatIsGoodIsSaidToBeGood() {
    assertThat(doctor(dir.toString(), InBucket.newPlace())).as(said.toString()).isZero();
    assertThat(said.toString())
        .contains("ok    one of many gets a name   of 32 writers one, 5 times")
        .doesNotContain("WRONG");
  }

  @Test
  void aPlaceThatNoneKnowsIsWrongUsage() {
    assertThat(doctor("gopher://store/tables")).isEqualTo(2);
    assertThat(said.toString()).contains("expected a local path, or a URI of file, s3");
  }

  @Test
  void aStoreThatIgnoresConditionsIsFoundAndNoTableIsMadeThere() throws Exception {
    FRONT.deal(request -> request.method().equals("PUT") ? Deed.SAY_DONE : Deed.PASS);
    assertThat(doctor(InBucket.newPlace())).isEqualTo(1);
    assertThat(said.toString()).contains("WRONG names are taken for good", "WRONG one of many");

    String place = InBucket.newPlace();
    assertThat(register(place)).isEqualTo(1);
    assertThat(said.toString()).contains("UNSAFE_TABLE", "the condition of a put is ignored");
    assertThat(Storage.at(place + "table").list("").folders()).isEmpty();
  }

  /** The brokers are not there, and not asked before the store is found to be good. */
  private int register(String place) throws Exception {
    Path schema = Files.write(dir.resolve("schema.arrow"), Generations.emptyStream());
    return new CommandLine(new RegisterCommand())
        .setOut(new PrintWriter(said))
        .setErr(new PrintWriter(said))
        .execute(
            "doctored",
            "--uri=" + place + "table",
            "--wal=" + place + "wal",
            "--schema-from=" + schema,
            "--bootstrap-servers=127.0.0.1:1",
            "--etcd=" + etcd.endpoint());
  }
}
