package io.turnkeeper.local.verify;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.TableId;
import io.turnkeeper.events.AuditReader;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import io.turnkeeper.local.story.Chronicle;
import io.turnkeeper.local.story.Telling;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * Checks a table against its writers' own record: every row exactly once, the index, the versions
 * and the turns. Reads that record, etcd, the table on disk and the journal, nothing else.
 *
 * @param records the files the writers wrote
 * @param index the index that must be used, empty if none is expected
 */
public record Verification(
    List<Path> records, URI etcd, String bootstrap, TableId table, String index, int sampledKeys) {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Checks everything; a disagreement is part of the verdict. */
  public Verdict run() throws IOException, AuthorityUnavailableException, InvalidRecordException {
    List<SealRecord.Sealed> sealed = new ArrayList<>();
    for (Path file : records) {
      sealed.addAll(SealRecord.read(file));
    }
    Head head = head();
    Telling journal = journal();
    try (BufferAllocator allocator = new RootAllocator();
        TableOnDisk onDisk = new TableOnDisk(head.uri(), allocator)) {
      KeyCount keys = new KeyCount(sealed);
      onDisk.scanIds(keys::found);
      return verdict(sealed, head, journal, onDisk, keys);
    }
  }

  private Verdict verdict(
      List<SealRecord.Sealed> sealed, Head head, Telling journal, TableOnDisk onDisk, KeyCount keys)
      throws IOException {
    Problems problems = new Problems();
    problems.expect("duplicate keys", 0, keys.duplicateKeys());
    problems.expect("missing keys", 0, keys.missingKeys());
    problems.expect("keys nobody sealed", 0, keys.unknownKeys());
    problems.expect("rows in the table", keys.rowsSealed(), keys.rowsInTable());
    long merged = head.mergedThrough().values().stream().mapToLong(Long::longValue).sum();
    problems.expect("generations merged", sealed.size(), merged);
    boolean headEqualsDisk =
        problems.expect("newest version in etcd", onDisk.version(), head.version());
    problems.expect("newest version in the journal", head.version(), journal.newestVersion());
    List<Long> versions = onDisk.versions();
    List<String> turns = new VersionCheck(onDisk, journal).problems(versions);
    problems.addAll(turns);
    IndexCheck.Answer answer = IndexCheck.ask(onDisk, sealed, sampledKeys, index);
    problems.require(answer.agrees(), "the answers with and without the index differ");
    problems.require(index.isEmpty() || answer.used(), "the plan does not use index " + index);
    return new Verdict(
        keys.rowsSealed(),
        keys.rowsInTable(),
        keys.duplicateKeys(),
        keys.missingKeys(),
        keys.unknownKeys(),
        sealed.size(),
        merged,
        versions.size(),
        onDisk.version(),
        head.version(),
        journal.newestVersion(),
        answer.keys(),
        answer.agrees(),
        answer.used(),
        headEqualsDisk,
        turns.isEmpty(),
        problems.found,
        answer.plan());
  }

  private Head head() throws AuthorityUnavailableException {
    try (Authority authority = EtcdAuthority.connect(EtcdSettings.of(etcd))) {
      return authority
          .head(table, Deadline.after(PATIENCE))
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "expected etcd to know " + table + ", but it does not"));
    }
  }

  private Telling journal() throws InvalidRecordException {
    Chronicle chronicle = new Chronicle(table);
    Map<String, String> client = Map.of("bootstrap.servers", bootstrap);
    Topics topics = new Topics(Topics.DEFAULT_PREFIX);
    try (AuditReader reader = new AuditReader(client, topics, new RecordCodec())) {
      for (JournalStep step : reader.table(table)) {
        chronicle.entry(step.entry());
        step.decisions().forEach(chronicle::decision);
      }
    }
    return chronicle.tell();
  }

  /** Collects what is not as expected. */
  private static final class Problems {
    final List<String> found = new ArrayList<>();

    boolean expect(String what, long expected, long is) {
      return require(expected == is, "expected " + expected + " " + what + ", but found " + is);
    }

    boolean require(boolean holds, String otherwise) {
      if (!holds) {
        found.add(otherwise);
      }
      return holds;
    }

    void addAll(List<String> more) {
      found.addAll(more);
    }
  }
}
