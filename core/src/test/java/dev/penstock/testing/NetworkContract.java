package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;

/// How every store reaches a file through a proxy with a password, and behind TLS.
public final class NetworkContract {
  private static final int FROM = 7;
  private static final int TO = 107;

  private NetworkContract() {}

  /// Checks that the proxy gets the user and the password, and that no error shows the password.
  ///
  /// @param store the store
  /// @param options what it needs to reach the file without a proxy, by HTTP
  /// @param place the file
  /// @param data its bytes
  public static void proxyIsToldWhoAsks(
      Storage store, StorageOptions options, Location place, byte[] data) throws IOException {
    try (PasswordProxy proxy = new PasswordProxy("porter", "hush")) {
      StorageOptions through = options.with("proxy", proxy.url()).with("proxy-username", "porter");
      requireRead(store.with(through.with("proxy-password", "hush")), place, data);
      assertThat(proxy.passed()).hasSize(2);
      StorageOptions wrong = through.with("proxy-password", "quiet");
      assertThatThrownBy(() -> store.with(wrong).stat(place))
          .hasMessageContaining(": the proxy asks for a password (407). Set storage options")
          .satisfies(
              e -> assertThat(stackTrace(e)).doesNotContain("quiet").doesNotContain("cXVpZXQ"));
      assertThat(wrong.toString()).doesNotContain("quiet").doesNotContain("porter");
    }
  }

  /// Checks that option `ca-file` is what makes a certificate trusted.
  ///
  /// @param store the store
  /// @param options what it needs to reach the file on a server of [RangeServer#secure]
  /// @param place the file
  /// @param data its bytes
  /// @param folder where the file of certificates is written
  public static void authorityOfAFileIsTrusted(
      Storage store, StorageOptions options, Location place, byte[] data, Path folder)
      throws IOException {
    Path authority = RangeServer.writeCertificate(folder.resolve("ca.pem"));
    requireRead(store.with(options.with("ca-file", authority.toString())), place, data);
    assertThatThrownBy(() -> store.with(options).stat(place))
        .hasMessageStartingWith(
            "Cannot look at '" + place + "': the store's certificate is not trusted (")
        .hasMessageContaining("set storage option 'ca-file' to a file");
  }

  private static void requireRead(Storage store, Location place, byte[] data) throws IOException {
    try (StorageFile file = store.open(place);
        Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(TO - FROM);
      file.read(FROM, target);
      assertThat(target.toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(Arrays.copyOfRange(data, FROM, TO));
    }
  }

  private static String stackTrace(Throwable fault) {
    StringWriter text = new StringWriter();
    fault.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
