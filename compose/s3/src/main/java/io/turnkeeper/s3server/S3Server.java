package io.turnkeeper.s3server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/**
 * An S3 server on a free loopback port that keeps objects as files. It ends when its standard input
 * does, so it never outlives whoever started it.
 */
public final class S3Server {
  /** What precedes the port on the standard output, once requests are answered. */
  static final String PORT = "PORT ";

  private S3Server() {}

  /**
   * Serves until the standard input ends. Its first two lines are the id and the secret of the key
   * that requests must be signed with.
   *
   * @param args the directory, which exists
   */
  public static void main(String[] args) throws Exception {
    if (args.length != 1) {
      throw new IllegalArgumentException("expected a directory, but " + args.length + " arguments");
    }
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    S3Proxy server = start(args[0], line(in), line(in));
    System.out.println(PORT + server.getPort());
    System.out.flush();
    in.transferTo(Writer.nullWriter());
    server.stop();
  }

  private static S3Proxy start(String directory, String keyId, String secret) throws Exception {
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(directory))
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, keyId, secret)
            .stopTimeout(0)
            .build();
    server.start();
    return server;
  }

  private static String line(BufferedReader in) throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new IOException("expected a key id and a secret, but the input ended");
    }
    return line;
  }
}
