package io.turnkeeper.storage.s3;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.time.ZoneOffset.UTC;
import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands between a client and a server and does to a request what a test wants. The head goes on as
 * it came but for its {@code Connection}, which is not signed: one request for each connection.
 */
public final class Front implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length:\\s*(\\d+)\\s*$");
  private static final Pattern CONNECTION = Pattern.compile("(?im)^connection:.*\r\n");
  private static final Pattern DATE = Pattern.compile("(?im)^date:[^\\r]*");
  private static final Pattern EXPECT = Pattern.compile("(?im)^expect:.*\r\n");

  /** A request as it came. */
  public record Request(String method, String target, String head) {
    /** Whether it asks for the object of that name, whatever it wants with it. */
    public boolean isFor(String name) {
      int query = target.indexOf('?');
      return (query < 0 ? target : target.substring(0, query)).endsWith("/" + name);
    }
  }

  /** What happens to a request. */
  public sealed interface Deed {
    /** It is answered by the server. */
    Deed PASS = new Pass();

    /** The connection ends before the server hears of it. */
    Deed CUT_BEFORE = new CutBefore();

    /** The server does as it is told, and the connection ends before the answer. */
    Deed CUT_AFTER = new CutAfter();

    /** The head of the answer comes, and half of its body. */
    Deed HALF_BODY = new HalfBody();

    /** The head of the answer comes, and then nothing. */
    Deed STALL = new Stall();

    /** What was refused for its condition is said to be done. */
    Deed SAY_DONE = new SayDone();

    /** The server's clock is said to be so far behind. */
    static Deed behind(Duration by) {
      return new Behind(by);
    }

    /** An error that the server knows nothing of. */
    static Deed error(int status, String code, String message) {
      return new Answer(status, code, message);
    }

    record Pass() implements Deed {}

    record CutBefore() implements Deed {}

    record CutAfter() implements Deed {}

    record HalfBody() implements Deed {}

    record Stall() implements Deed {}

    record SayDone() implements Deed {}

    record Behind(Duration by) implements Deed {}

    record Answer(int status, String code, String message) implements Deed {}
  }

  private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
  private final URI server;
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Function<Request, Deed> deeds = request -> Deed.PASS;

  public Front(URI server) throws IOException {
    this.server = server;
    pool.execute(this::listen);
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** From here on requests are dealt with like this; what came before is forgotten. */
  public void deal(Function<Request, Deed> with) {
    deeds = with;
    requests.clear();
  }

  /** What came since, in order. */
  public List<Request> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  private void listen() {
    try {
      while (true) {
        Socket client = listener.accept();
        pool.execute(() -> serve(client));
      }
    } catch (IOException e) {
      if (!listener.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      String head = head(client.getInputStream());
      String[] line = head.substring(0, head.indexOf("\r\n")).split(" ", 3);
      Request request = new Request(line[0], line[1], head);
      requests.add(request);
      deal(request, client, deeds.apply(request));
    } catch (IOException | InterruptedException e) {
      // The client hung up, as many tests want it to; what it lacks it complains of itself.
      if (closed.getCount() == 0) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void deal(Request request, Socket client, Deed deed)
      throws IOException, InterruptedException {
    if (deed instanceof Deed.CutBefore) {
      return;
    }
    // Whoever waits to be asked for the body is asked.
    if (EXPECT.matcher(request.head()).find()) {
      client.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
    }
    byte[] body = body(request, client.getInputStream());
    if (deed instanceof Deed.Answer answer) {
      answer(client.getOutputStream(), answer);
      return;
    }
    try (Socket upstream = new Socket(server.getHost(), server.getPort())) {
      String head = CONNECTION.matcher(request.head()).replaceAll("");
      head = EXPECT.matcher(head).replaceAll("");
      head = head.substring(0, head.length() - 2) + "Connection: close\r\n\r\n";
      OutputStream out = upstream.getOutputStream();
      out.write(head.getBytes(ISO_8859_1));
      out.write(body);
      out.flush();
      byte[] answered = upstream.getInputStream().readAllBytes();
      give(client.getOutputStream(), answered, deed);
    }
  }

  private void give(OutputStream client, byte[] answered, Deed deed)
      throws IOException, InterruptedException {
    byte[] answer = changed(answered, deed);
    int bodyBegins = new String(answer, ISO_8859_1).indexOf("\r\n\r\n") + 4;
    if (deed instanceof Deed.CutAfter) {
      return;
    }
    if (deed instanceof Deed.HalfBody) {
      client.write(answer, 0, bodyBegins + (answer.length - bodyBegins) / 2);
    } else if (deed instanceof Deed.Stall) {
      client.write(answer, 0, bodyBegins);
      client.flush();
      closed.await();
    } else {
      client.write(answer);
    }
    client.flush();
  }

  private static byte[] changed(byte[] answer, Deed deed) {
    String text = new String(answer, ISO_8859_1);
    if (deed instanceof Deed.SayDone && text.startsWith("HTTP/1.1 412")) {
      text =
          "HTTP/1.1 200 OK\r\nETag: \"made-up\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    } else if (deed instanceof Deed.Behind behind) {
      text =
          DATE.matcher(text)
              .replaceFirst(
                  "Date: " + RFC_1123_DATE_TIME.format(ZonedDateTime.now(UTC).minus(behind.by())));
    }
    return text.getBytes(ISO_8859_1);
  }

  private static void answer(OutputStream client, Deed.Answer answer) throws IOException {
    String body =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <Error><Code>%s</Code><Message>%s</Message><RequestId>403-503-404</RequestId></Error>"""
            .formatted(answer.code(), answer.message());
    client.write(
        "HTTP/1.1 %d Made up\r\nContent-Type: application/xml\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(answer.status(), body.length(), body)
            .getBytes(ISO_8859_1));
    client.flush();
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("no request");
      }
      head.write(next);
    }
    return head.toString(ISO_8859_1);
  }

  private static byte[] body(Request request, InputStream in) throws IOException {
    if (request.head().toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked")) {
      throw new IOException("expected a body of known length");
    }
    Matcher length = LENGTH.matcher(request.head());
    return length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    pool.shutdownNow();
  }
}
