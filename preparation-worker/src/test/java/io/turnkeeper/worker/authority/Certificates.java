package io.turnkeeper.worker.authority;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates for one test, made by the JDK's own keytool, as the PEM files that etcd reads. */
final class Certificates {
  private static final String PASSWORD = "changeit";
  private static final String AUTHORITY = "ca";

  private final Path directory;
  private final Path store;

  Certificates(Path directory) throws Exception {
    this.directory = directory;
    this.store = directory.resolve("store.p12");
    keytool("-alias", AUTHORITY, "-dname", "CN=ca", "-ext", "bc:c");
    write(AUTHORITY);
  }

  /** Issues one for 127.0.0.1 and the name. */
  void issue(String name) throws Exception {
    keytool(
        "-alias",
        name,
        "-dname",
        "CN=" + name,
        "-signer",
        AUTHORITY,
        "-ext",
        "san=ip:127.0.0.1,dns:localhost",
        "-ext",
        "eku=serverAuth,clientAuth");
    write(name);
  }

  Path authority() {
    return certificate(AUTHORITY);
  }

  Path certificate(String name) {
    return directory.resolve(name + ".crt");
  }

  Path key(String name) {
    return directory.resolve(name + ".key");
  }

  private void write(String alias) throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    pem(certificate(alias), "CERTIFICATE", keys.getCertificate(alias).getEncoded());
    pem(key(alias), "PRIVATE KEY", keys.getKey(alias, PASSWORD.toCharArray()).getEncoded());
  }

  private static void pem(Path file, String what, byte[] bytes) throws IOException {
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.UTF_8)).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  private void keytool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add("-genkeypair");
    command.addAll(List.of(arguments));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("expected keytool to succeed, but it says: " + output);
    }
  }
}
