package dev.penstock.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.ServedRange;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.FaultProxy;
import dev.penstock.testing.FaultProxy.Fault;
import dev.penstock.testing.FaultProxy.Kind;
import dev.penstock.testing.NetworkContract;
import dev.penstock.testing.PasswordProxy;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpStorageTest {
  private static final int BYTES = 3_000_000;

  /// Time limits that are reached only where a test lets nothing come.
  private static final StorageOptions OPTIONS =
      StorageOptions.NONE.with("read-timeout", "400ms").with("attempts", "3");

  @TempDir Path folder;
  private final byte[] data = new byte[BYTES];
  private RangeServer server;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(data);
    Files.write(folder.resolve("a b.bin"), data);
    server = new RangeServer(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Location file() {
    return new Location(server.url() + "/a%20b.bin");
  }

  private static Storage store(StorageOptions options) {
    return new HttpStorage().with(options);
  }

  private static byte[] read(StorageFile file, long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      file.read(offset, target);
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private byte[] expected(int offset, int length) {
    return Arrays.copyOfRange(data, offset, offset + length);
  }

  @Test
  void rangesAreReadOverOneConnection() throws IOException {
    try (FaultProxy proxy = new FaultProxy(server.port(), _ -> Fault.NONE)) {
      Location through = new Location("http://127.0.0.1:" + proxy.port() + "/a b.bin");
      Storage store = store(OPTIONS);
      FileEntry entry = store.stat(through).orElseThrow();
      assertThat(entry.bytes()).isEqualTo(BYTES);
      assertThat(entry.version()).startsWith("\"");
      try (StorageFile open = store.open(entry)) {
        assertThat(read(open, 0, 10)).isEqualTo(expected(0, 10));
        assertThat(read(open, 1_234_567, 1_000_000)).isEqualTo(expected(1_234_567, 1_000_000));
        assertThat(read(open, BYTES - 1, 1)).isEqualTo(expected(BYTES - 1, 1));
        assertThat(read(open, 0, BYTES)).isEqualTo(data);
      }
      assertThat(server.requests())
          .containsExactly(
              "HEAD /a%20b.bin",
              "GET /a%20b.bin bytes=0-9",
              "GET /a%20b.bin bytes=1234567-2234566",
              "GET /a%20b.bin bytes=2999999-2999999",
              "GET /a%20b.bin bytes=0-2999999");
      assertThat(proxy.connections()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void brokenConnectionsAreMadeGood(Kind kind) throws IOException {
    FileEntry known = store(OPTIONS).stat(file()).orElseThrow();
    server.requests().clear();
    try (FaultProxy proxy =
        new FaultProxy(server.port(), n -> n < 2 ? new Fault(kind, 1_000_000) : Fault.NONE)) {
      Location through = new Location("http://127.0.0.1:" + proxy.port() + "/a%20b.bin");
      FileEntry entry = new FileEntry(through, BYTES, false, known.version());
      assertThat(read(store(OPTIONS).open(entry), 0, BYTES)).isEqualTo(data);
      assertThat(proxy.connections()).isEqualTo(3);
    }
    if (kind == Kind.CUT || kind == Kind.STALL) { // a reset may take with it what was not yet read
      long second = firstByte(server.requests().get(1));
      assertThat(second).as("%s", server.requests()).isBetween(900_000L, 1_000_000L);
    }
  }

  private static long firstByte(String request) {
    return Long.parseLong(request.replaceAll(".*bytes=([0-9]+)-.*", "$1"));
  }

  @Test
  void serverThatStallsForeverIsAnErrorWithRangeAndAttempts() throws IOException {
    FileEntry known = store(OPTIONS).stat(file()).orElseThrow();
    try (FaultProxy proxy = new FaultProxy(server.port(), _ -> new Fault(Kind.STALL, 0))) {
      Location through = new Location("http://127.0.0.1:" + proxy.port() + "/a%20b.bin");
      FileEntry entry = new FileEntry(through, BYTES, false, known.version());
      assertThatThrownBy(() -> read(store(OPTIONS).open(entry), 5, 10))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith(
              "Cannot read bytes [5, 15) of '"
                  + through
                  + "' in 3 attempts: the connection broke (no"
                  + " answer within 400 ms).");
    }
  }

  @Test
  @Timeout(120)
  void deadlineEndsAnAnswerThatNeverEnds() {
    long bytes = 1L << 40;
    FileEntry entry = new FileEntry(file(), bytes, false, "");
    server.answer(exchange -> {
      exchange.getResponseHeaders().set("Content-Range", "bytes 0-99999999/" + bytes);
      exchange.sendResponseHeaders(206, 100_000_000);
      while (true) {
        exchange.getResponseBody().write(1);
        exchange.getResponseBody().flush();
      }
    });
    Storage store = store(StorageOptions.NONE.with("deadline", "500ms"));
    assertThatThrownBy(() -> read(store.open(entry), 0, 100_000_000))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot read bytes [0, 100000000) of '" + file() + "': ")
        .hasMessageContaining("raise storage option 'deadline'");
  }

  @Test
  void changedFileIsAnErrorThatSaysSo() throws IOException {
    StorageFile open = store(OPTIONS).open(file());
    Files.setLastModifiedTime(folder.resolve("a b.bin"), FileTime.fromMillis(1_000_000_000_000L));
    assertThatThrownBy(() -> read(open, 0, 10))
        .hasMessageContaining("it is no longer the file that was planned (412)");
  }

  @Test
  void changedFileIsNoticedWithoutTagsAndWithoutConditions() throws IOException {
    server.withoutTags();
    StorageFile open = store(OPTIONS).open(file());
    assertThat(open.version()).endsWith("GMT");
    Files.setLastModifiedTime(folder.resolve("a b.bin"), FileTime.fromMillis(1_000_000_000_000L));
    assertThatThrownBy(() -> read(open, 0, 10))
        .hasMessageContaining("its version is 'Sun, 9 Sep 2001 01:46:40 GMT' but was '");
    Files.write(folder.resolve("a b.bin"), new byte[7]);
    assertThatThrownBy(() -> read(open, 100, 10)).hasMessageContaining("(416)");
  }

  @Test
  void fileThatIsGoneInMidReadIsNamed() throws IOException {
    StorageFile open = store(OPTIONS).open(file());
    Files.delete(folder.resolve("a b.bin"));
    assertThatThrownBy(() -> read(open, 0, 10)).hasMessageContaining("it is gone (404)");
    assertThat(store(OPTIONS).stat(file())).isEmpty();
    assertThatThrownBy(() -> store(OPTIONS).open(file())).hasMessageContaining("it is gone.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void smallFileOfAServerWithoutRangesIsReadWhole(boolean saysLength) throws IOException {
    server.answer(exchange -> {
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      if (!isHead || !saysLength) {
        exchange.sendResponseHeaders(200, isHead ? -1 : saysLength ? BYTES : 0);
      }
      if (!isHead) {
        exchange.getResponseBody().write(data);
      }
      return !isHead || !saysLength;
    });
    StorageFile open = store(OPTIONS).open(file());
    assertThat(open.size()).isEqualTo(BYTES);
    assertThat(read(open, 100, 10)).isEqualTo(expected(100, 10));
    assertThat(read(open, 1_234_567, 1_000_000)).isEqualTo(expected(1_234_567, 1_000_000));
    assertThat(read(open, BYTES - 1, 1)).isEqualTo(expected(BYTES - 1, 1));
    assertThat(read(open, 0, BYTES)).isEqualTo(data);
  }

  @Test
  void largeFileOfAServerWithoutRangesIsRefused() {
    long bytes = ServedRange.WHOLE_BYTES_MAX + 1;
    server.answer(exchange -> {
      exchange.sendResponseHeaders(200, bytes);
      exchange.getResponseBody().write(data);
      return true;
    });
    FileEntry entry = new FileEntry(file(), bytes, false, "");
    assertThatThrownBy(() -> read(store(OPTIONS).open(entry), 100, 10))
        .hasMessageContaining(
            "the store ignores ranges: it sends the whole file, of 16777217 bytes but at most"
                + " 16777216 are read that way");
    server.answer(exchange -> {
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(200, isHead ? -1 : 0);
      for (int i = 0; !isHead && i <= ServedRange.WHOLE_BYTES_MAX / BYTES; i++) {
        exchange.getResponseBody().write(data);
      }
      return true;
    });
    assertThatThrownBy(() -> store(OPTIONS).stat(file()))
        .hasMessageContaining("does not say how large it is, and sends more than 16777216 bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 401, 403, 405, 501})
  void serverThatDoesNotAnswerHeadIsAskedForAByte(int status) throws IOException {
    server.answer(exchange -> {
      if (!exchange.getRequestMethod().equals("HEAD")) {
        return false;
      }
      exchange.getResponseHeaders().set("Content-Length", "0");
      exchange.sendResponseHeaders(status, -1);
      return true;
    });
    assertThat(store(OPTIONS).stat(file()).orElseThrow().bytes()).isEqualTo(BYTES);
    Files.write(folder.resolve("a b.bin"), new byte[0]);
    assertThat(store(OPTIONS).stat(file()).orElseThrow().bytes()).isZero();
  }

  @Test
  void credentialsGoWithEachRequestAndIntoNoError() throws IOException {
    StringBuilder seen = new StringBuilder();
    server.answer(exchange -> {
      seen.append(exchange.getRequestHeaders().getFirst("Authorization"))
          .append(' ')
          .append(exchange.getRequestURI().getRawQuery());
      exchange.sendResponseHeaders(401, -1);
      return true;
    });
    StorageOptions secret =
        OPTIONS.with("username", "me").with("password", "hush").with("query", "sig=quiet");
    assertThatThrownBy(() -> store(secret).stat(file()))
        .hasMessage(
            "Cannot look at '"
                + file()
                + "': the store wants to know who asks (401). Give"
                + " credentials.")
        .satisfies(e -> assertThat(e).hasStackTraceContaining("401"))
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("hush").doesNotContain("quiet"));
    assertThat(seen).hasToString("Basic bWU6aHVzaA== sig=quiet".repeat(2)); // HEAD and GET
  }

  @Test
  void redirectToWhatIsNoUrlIsAnErrorAtOnceThatHidesTheTarget() {
    for (String target :
        List.of("http://127.0.0.1/my file?sig=hush", "http://127.0.0.1/a|b?sig=hush")) {
      server.requests().clear();
      server.answer(exchange -> {
        exchange.getResponseHeaders().set("Location", target);
        exchange.sendResponseHeaders(302, -1);
        return true;
      });
      assertThatThrownBy(() -> store(OPTIONS).stat(file()))
          .isInstanceOf(StorageException.class)
          .hasMessage(
              "Cannot look at '"
                  + file()
                  + "': the server redirects to what is no URL. Correct that in the server, or read"
                  + " the files from where it redirects to.")
          .satisfies(e -> assertThat(stackTrace(e)).doesNotContain("hush"));
      assertThat(server.requests()).hasSize(1);
    }
  }

  private static String stackTrace(Throwable e) {
    java.io.StringWriter text = new java.io.StringWriter();
    e.printStackTrace(new java.io.PrintWriter(text));
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "[1].parquet %5B1%5D.parquet",
        "a%3Fb%23c%25.bin a%3Fb%23c%25.bin",
        "100%.bin 100%25.bin",
        "%zz#{ü}+&;=.bin %25zz%23%7B%C3%BC%7D+&;=.bin"
      })
  void namesMayHoldAnyCharacter(String name, String asked) throws IOException {
    Files.write(folder.resolve(URI.create("http://x/" + asked).getPath().substring(1)), data);
    Location place = new Location(server.url() + "/" + name);
    assertThat(read(store(OPTIONS).open(place), 7, 100)).isEqualTo(expected(7, 100));
    assertThat(server.requests()).contains("HEAD /" + asked);
  }

  @Test
  void proxyIsToldWhoAsks() throws IOException {
    NetworkContract.proxyIsToldWhoAsks(new HttpStorage(), OPTIONS, file(), data);
  }

  @Test
  void tunnelThatTheProxyRefusesIsNamed() throws IOException {
    try (PasswordProxy proxy = new PasswordProxy("me", "hush");
        RangeServer secure = RangeServer.secure(folder)) {
      StorageOptions wrong =
          OPTIONS
              .with("ca-file", RangeServer.writeCertificate(folder.resolve("ca.pem")).toString())
              .with("proxy", proxy.url())
              .with("proxy-username", "me")
              .with("proxy-password", "quiet");
      Location place = new Location(secure.url() + "/a%20b.bin");
      assertThatThrownBy(() -> store(wrong).stat(place))
          .hasMessageStartingWith(
              "Cannot look at '" + place + "': the proxy asks for a password (407). Set")
          .satisfies(
              e -> assertThat(stackTrace(e)).doesNotContain("quiet").doesNotContain("cXVpZXQ"));
      assertThat(proxy.passed()).isEmpty();
    }
  }

  @Test
  void authorityOfAFileIsTrusted() throws IOException {
    try (RangeServer secure = RangeServer.secure(folder)) {
      NetworkContract.authorityOfAFileIsTrusted(
          new HttpStorage(), OPTIONS, new Location(secure.url() + "/a%20b.bin"), data, folder);
    }
  }

  @Test
  void foldersAreNotListed() throws IOException {
    Location folderUrl = new Location(server.url() + "/");
    assertThat(store(OPTIONS).stat(folderUrl).orElseThrow().folder()).isTrue();
    assertThatThrownBy(() -> store(OPTIONS).list(folderUrl))
        .hasMessage(
            "Cannot list '" + folderUrl + "': HTTP has no folders. Name each file by its URL.");
  }

  @Test
  void nobodyAtTheAddressIsASentence() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Location nobody = new Location("http://127.0.0.1:" + port + "/x");
    assertThatThrownBy(() -> store(OPTIONS).stat(nobody))
        .hasMessageStartingWith(
            "Cannot look at '" + nobody + "' in 3 attempts: no connection to the");
    Location nowhere = new Location("http://no-such-host.invalid/x");
    assertThatThrownBy(() -> store(OPTIONS).stat(nowhere))
        .hasMessageStartingWith("Cannot look at '" + nowhere + "' in 3 attempts: ")
        .hasMessageContaining("attempts: there is no such host. Check the location");
  }

  @Test
  void wrongOptionsAreRefused() {
    for (String[] wrong :
        List.of(
            new String[] {"proxy", "somewhere"},
            new String[] {"proxy", "http://proxy"},
            new String[] {"ca-file", "nowhere.pem"},
            new String[] {"ca-file", folder.resolve("a b.bin").toString()},
            new String[] {"read-timeout", "5"},
            new String[] {"attempts", "0"},
            new String[] {"concurrency", "many"})) {
      assertThatThrownBy(() -> store(StorageOptions.NONE.with(wrong[0], wrong[1])))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot use storage option '" + wrong[0] + "': got '" + wrong[1]);
    }
    StorageOptions half = StorageOptions.NONE.with("proxy-password", "hush");
    assertThatThrownBy(() -> store(half))
        .hasMessage("Cannot use storage option 'proxy-password' alone: set 'proxy-username', too.");
    assertThatThrownBy(() -> store(half.with("proxy-username", "me")))
        .hasMessage("Cannot use storage option 'proxy-username' alone: set 'proxy', too.");
  }
}
