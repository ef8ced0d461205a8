package dev.penstock.serve;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A server's certificate and key, from PEM files.
final class Certificates {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private Certificates() {}

  /// Makes the context of a server, as [Server.TlsFiles] says.
  ///
  /// @throws IllegalArgumentException if a file has something else
  static SSLContext context(Path chain, Path key) throws IOException {
    try {
      char[] password = new char[0];
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, password);
      store.setKeyEntry("server", key(key), password, chain(chain));
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (FileSystemException e) {
      throw new IOException(
          "Cannot read '%s', a certificate or its key: %s."
              .formatted(
                  e.getFile(),
                  e instanceof NoSuchFileException
                      ? "there is no such file"
                      : "it cannot be opened"),
          e);
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          ("Cannot use the certificate %s with the key %s: expected two PEM files that belong"
                  + " together.")
              .formatted(chain, key),
          e);
    }
  }

  private static Certificate[] chain(Path file) throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(in)
          .toArray(Certificate[]::new);
    }
  }

  private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
    Matcher pem = KEY.matcher(Files.readString(file));
    if (!pem.find()) {
      throw new IllegalArgumentException(
          "Cannot read the key "
              + file
              + ": expected a PEM file with BEGIN PRIVATE KEY, which 'openssl pkcs8 -topk8 -nocrypt'"
              + " makes of other forms.");
    }
    PKCS8EncodedKeySpec spec =
        new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
    InvalidKeySpecException last = new InvalidKeySpecException("no algorithm");
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        last = e; // of another algorithm
      }
    }
    throw last;
  }
}
