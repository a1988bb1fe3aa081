package io.turnkeeper.worker.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChildEndTest {
  @ParameterizedTest
  @CsvSource({
    "0, UNKNOWN, ended with code 0",
    "3, NEEDS_MORE_MEMORY, ended with code 3",
    "4, UNKNOWN, ended with code 4",
    "128, UNKNOWN, ended with code 128",
    "129, PROCESS_KILLED, was killed with SIGHUP",
    "134, UNKNOWN, crashed with SIGABRT",
    "137, PROCESS_KILLED, was killed with SIGKILL",
    "139, UNKNOWN, crashed with SIGSEGV",
    "143, PROCESS_KILLED, was killed with SIGTERM",
    "159, UNKNOWN, crashed with signal 31",
  })
  void itsCodeSaysWhatHappened(int exitCode, FailureCode code, String words) {
    ChildEnd end = new ChildEnd(exitCode);

    assertThat(end.code()).isEqualTo(code);
    assertThat(end.toString()).startsWith(words);
  }
}
