package dev.penstock.spi.storage;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// The certificate authorities that a store's client trusts: those of the JVM, and those of a PEM
/// file, storage option `ca-file`. A network store reads them when it makes its client.
///
/// **Threads.** Safe for any.
public final class TrustedCertificates {
  /// What errors say a file of authorities must be.
  public static final String FILE = "a readable file of certificates in PEM";

  private final TrustManagerFactory factory;

  private TrustedCertificates(TrustManagerFactory factory) {
    this.factory = factory;
  }

  /// {@return the authorities in the file that the options name, and those of the JVM; empty if the
  /// options name no file}
  ///
  /// @param options the options of the store
  /// @throws IllegalArgumentException if the file holds no certificates
  public static Optional<TrustedCertificates> of(StorageOptions options) {
    return options
        .get("ca-file")
        .map(file -> {
          try {
            return read(file);
          } catch (IOException e) {
            IllegalArgumentException unfit = options.unfit("ca-file", FILE);
            unfit.initCause(e);
            throw unfit;
          }
        });
  }

  /// {@return the authorities in a file that is not named by the option, and those of the JVM}
  ///
  /// @param file its path
  /// @throws IOException if it is not [#FILE]
  public static TrustedCertificates read(String file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(file)))) {
      List<Certificate> all =
          new ArrayList<>(CertificateFactory.getInstance("X.509").generateCertificates(in));
      if (all.isEmpty()) {
        throw new IOException("no certificate");
      }
      all.addAll(ofJvm());
      return new TrustedCertificates(factory(all));
    } catch (GeneralSecurityException | InvalidPathException e) {
      throw new IOException(e);
    }
  }

  private static List<Certificate> ofJvm() throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init((KeyStore) null);
    List<Certificate> all = new ArrayList<>();
    for (TrustManager each : factory.getTrustManagers()) {
      if (each instanceof X509TrustManager manager) {
        Collections.addAll(all, manager.getAcceptedIssuers());
      }
    }
    return all;
  }

  private static TrustManagerFactory factory(List<Certificate> all)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < all.size(); i++) {
      store.setCertificateEntry("authority-" + i, all.get(i));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  /// {@return new managers, at least one, that decide whether a server is trusted}
  public TrustManager[] managers() {
    return factory.getTrustManagers();
  }

  /// {@return a new TLS context that trusts these authorities}
  public SSLContext context() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot make a context for TLS, which every JVM has.", e);
    }
  }
}
