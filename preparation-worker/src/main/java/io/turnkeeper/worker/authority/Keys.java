package io.turnkeeper.worker.authority;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.TableId;
import java.util.Base64;
import java.util.Locale;

/** The names of the keys in etcd. Renaming one forgets every head: a table could then fork. */
final class Keys {
  private final String prefix;

  Keys(String prefix) {
    this.prefix = prefix;
  }

  ByteSequence head(TableId table) {
    return key("heads/" + encoded(table));
  }

  ByteSequence turn(TableId table) {
    return key("turns/" + encoded(table));
  }

  /** As many digits for each version, so that those below one are a range. */
  ByteSequence manifest(TableId table, long version) {
    return key("manifests/" + encoded(table) + "/" + String.format(Locale.ROOT, "%019d", version));
  }

  ByteSequence location(String uri) {
    return key("locations/" + Sha256.hex(uri.getBytes(UTF_8)));
  }

  ByteSequence executor(ExecutorId executor) {
    return key("executors/" + executor);
  }

  private ByteSequence key(String name) {
    return ByteSequence.from(prefix + name, UTF_8);
  }

  /** A table id may hold slashes and any letter; this keeps one id one path segment. */
  private static String encoded(TableId table) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(table.value().getBytes(UTF_8));
  }
}
