package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of Lance 7.0.0, word for word, and what they mean. */
class LanceErrorsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Retryable commit conflict for version 3: This CreateIndex transaction was preempted by "
            + "concurrent transaction Rewrite at version 3. Please retry.|CONFLICT",
        "Incompatible transaction: This Append transaction is incompatible with concurrent "
            + "transaction Overwrite at version 8.|CONFLICT",
        "Commit conflict for version 4: Failed to commit the transaction after 1 retries.|CONFLICT",
        "Append with different schema: fields did not match, missing=[a]|SCHEMA_CHANGED",
        "Dataset at path t/_versions/999.manifest was not found: none|MISSING_FILE",
        "LanceError(IO): Failed to call listTableVersions: Java exception was thrown|IO",
        "LanceError(IO): Generic S3 error: Server returned non-2xx status code: 403 Forbidden: "
            + "<Error><Code>RequestTimeTooSkewed</Code><Message>not found</Message></Error>|IO",
        "LanceError(IO): Generic S3 error: Server returned non-2xx status code: 500: "
            + "<Error><Code>InternalError</Code><RequestId>403-AccessDenied</RequestId></Error>|IO",
        "Wrapped error: LanceError(IO): The operation lacked the necessary privileges to complete "
            + "for path t/data/404.lance|PERMISSION_DENIED",
        "LanceError(IO): Read-only file system (os error 30) at path \"/t/_transactions/.tmpKb\"|"
            + "PERMISSION_DENIED",
        "something new|UNKNOWN"
      })
  void aTextHasACode(String text, FailureCode code) {
    assertThat(LanceErrors.refusal(new RuntimeException(text))).isEqualTo(new Refusal(code, text));
  }

  @Test
  void whereInItsSourcesLanceFailedIsNotSaid() {
    String text =
        "Dataset at path t.lance was not found: Not found: t.lance/_versions,"
            + " /build/rust/lance-table/src/io/commit.rs:646:26, /build/rust/lance.rs:1:2";
    assertThat(LanceErrors.refusal(new RuntimeException(text)))
        .isEqualTo(
            new Refusal(
                FailureCode.MISSING_FILE,
                "Dataset at path t.lance was not found: Not found: t.lance/_versions"));
  }

  @Test
  void anInputOutputFailureNeedsNoText() {
    assertThat(LanceErrors.refusal(new IOException()).code()).isEqualTo(FailureCode.IO);
  }

  @Test
  void aLongTextIsCut() {
    assertThat(LanceErrors.refusal(new RuntimeException("x".repeat(100_000))).message())
        .hasSize(4096);
  }
}
