package dev.penstock.serve;

import dev.penstock.serve.Server.TlsFiles;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// The certificate of tests' servers, and who trusts it.
final class TestTls {
  private TestTls() {}

  /// Writes the certificate and its key.
  static TlsFiles files(Path folder) throws IOException, GeneralSecurityException {
    try (InputStream in = RangeServer.class.getResourceAsStream("tls/server.p12")) {
      char[] password = "loopback".toCharArray();
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      return new TlsFiles(
          pem(folder, "CERTIFICATE", store.getCertificate("server").getEncoded()),
          pem(folder, "PRIVATE KEY", store.getKey("server", password).getEncoded()));
    }
  }

  private static Path pem(Path folder, String what, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    return Files.writeString(
        folder.resolve(what),
        "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  /// Returns what trusts a certificate alone.
  static SSLContext trusting(Path certificate) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(certificate)) {
      trusted.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
