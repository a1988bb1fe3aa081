package io.turnkeeper.streams.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * One request for a read.
 *
 * @param raw the path and query as they came
 * @param path the path's segments, percent-decoded
 * @param forwarded whether another instance asks, which is not sent on again
 * @param deadlineNanos when whoever asked is told that it took too long
 */
record Question(
    String raw,
    List<String> path,
    Map<String, String> query,
    boolean forwarded,
    long deadlineNanos) {
  Question {
    path = List.copyOf(path);
    query = Map.copyOf(query);
  }

  static Question of(URI uri, boolean forwarded, Duration limit) throws Problem {
    String rawPath = uri.getRawPath();
    String rawQuery = uri.getRawQuery();
    List<String> path = new ArrayList<>();
    for (String segment : rawPath.substring(1).split("/", -1)) {
      path.add(decoded(segment));
    }
    Map<String, String> query = new HashMap<>();
    for (String pair : rawQuery == null ? new String[0] : rawQuery.split("&", -1)) {
      int end = pair.indexOf('=');
      query.put(
          decoded(end < 0 ? pair : pair.substring(0, end)),
          end < 0 ? "" : decoded(pair.substring(end + 1)));
    }
    String raw = rawQuery == null ? rawPath : rawPath + "?" + rawQuery;
    return new Question(raw, path, query, forwarded, System.nanoTime() + limit.toNanos());
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  /** A plus is a plus; {@link URI} has made sure that two hexadecimal digits follow a percent. */
  private static String decoded(String text) throws Problem {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int from = 0;
    for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', from)) {
      bytes.writeBytes(text.substring(from, at).getBytes(UTF_8));
      bytes.write(HexFormat.fromHexDigits(text, at + 1, at + 3));
      from = at + 3;
    }
    bytes.writeBytes(text.substring(from).getBytes(UTF_8));
    try {
      return UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new Problem(
          Problem.Code.BAD_REQUEST, "expected percent-encoded UTF-8, but it is " + text, e);
    }
  }
}
