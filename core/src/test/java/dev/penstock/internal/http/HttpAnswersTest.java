package dev.penstock.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the store makes of addresses and answers that no good user and no good server gives.
@Timeout(120)
class HttpAnswersTest {
  private static final int BYTES = 1_000;

  private static Storage store() {
    return new HttpStorage()
        .with(
            StorageOptions.NONE
                .with("attempts", "2")
                .with("read-timeout", "5s")
                .with("bearer-token", "hush")
                .with("query", "sig=quiet"));
  }

  private static String read(Location place, long bytes, long offset, int length)
      throws IOException {
    try (Arena arena = Arena.ofConfined();
        StorageFile file = store().open(new FileEntry(place, bytes, false, ""))) {
      MemorySegment target = arena.allocate(length);
      file.read(offset, target);
      return new String(target.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
    }
  }

  private static void holdsNoSecret(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    assertThat(text.toString()).doesNotContain("hush").doesNotContain("quiet");
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:99999/x, it has port 99999 but the last one is 65535. Correct the location.",
    "http:///x, it is no URL. Correct the location.",
    "http://:80/x, it is no URL. Correct the location.",
    "http://127.0.0.1:abc/x, it is no URL. Correct the location.",
    "http://127.0.0.1:-1/x, it is no URL. Correct the location.",
    "http://[::1/x, it is no URL. Correct the location.",
    "http://a b/x, it is no URL. Correct the location."
  })
  void addressesThatAreNoneAreErrorsAtOnce(String url, String sentence) {
    assertThatThrownBy(() -> store().stat(new Location(url)))
        .isInstanceOf(StorageException.class)
        .hasMessage("Cannot look at '" + url + "': " + sentence)
        .satisfies(HttpAnswersTest::holdsNoSecret);
  }

  /// Answers to a request for bytes [100, 110) of 1,000.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "200 OK; Content-Length: 99999999999999999999 || has a length that is none",
        "200 OK; Content-Length: 1e3 || has a length that is none",
        "206 OK; Content-Range: bytes 100-109/1000; Content-Length: -7 || the connection broke",
        "206 OK; Content-Range: bytes 100-97/1000; Content-Length: 10 | 0123456789"
            + " | a part without saying which (Content-Range is 'bytes 100-97/1000')",
        "206 OK; Content-Range: bytes 100-109/50; Content-Length: 10 | 0123456789"
            + " | a part without saying which (Content-Range is 'bytes 100-109/50')",
        "206 OK; Content-Length: 10 | 0123456789 | a part without saying which",
        "206 OK; Content-Range: bytes 100-109/1001; Content-Length: 10 | 0123456789"
            + " | the file has 1001 bytes but had 1000",
        "206 OK; Content-Range: bytes 100-119/1000; Content-Length: 20 | 01234567890123456789"
            + " | sends bytes [100, 120) but bytes [100, 110) were asked for",
        "206 OK; Content-Range: bytes 100-109/1000; Content-Length: 10 | 01234"
            + " | sends bytes [100, 110) but bytes [105, 110) were asked for",
        "206 OK; Content-Range: bytes 100-109/1000; Content-Length: 5 | 01234"
            + " | sends bytes [100, 110) but bytes [105, 110) were asked for",
        "206 OK; Content-Range: bytes 100-109/1000; Transfer-Encoding: chunked | zz"
            + " | the connection broke",
        "206 OK; Content-Encoding: gzip; Content-Range: bytes 100-109/1000; Content-Length: 5"
            + " | 01234 | the server compresses what it sends (gzip)",
        "200 OK; Content-Length: 1000 | 0123456789 | the connection broke",
        "200 OK; Content-Length: 10 | 0123456789 | the file has 10 bytes but had 1000",
        "200 OK; Connection: close | 0123456789 | it ends 90 bytes before those that were asked",
        "302 Found; Location: /x; Content-Length: 0 || redirects without end, or to where",
        "302 Found; Location: ftp://a/b?sig=quiet; Content-Length: 0 || redirects without end, or",
        "302 Found; Location: http://127.0.0.1:99999/b?sig=quiet || redirects to what is no URL",
        "302 Found; Content-Length: 0 || the connection broke",
        "204 No Content || the store refuses the request (204)",
        "hello || the connection broke"
      })
  void answersThatAreNoneAreErrors(String head, String body, String sentence) throws IOException {
    String lines = "HTTP/1.1 " + head.replace("; ", "\r\n") + "\r\n\r\n";
    String answer = head.equals("hello") ? head : lines + (body == null ? "" : body);
    try (RawServer server = new RawServer(_ -> answer)) {
      Location place = new Location(server.url() + "/x");
      assertThatThrownBy(() -> read(place, BYTES, 100, 10))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("Cannot read bytes [100, 110) of '" + place + "'")
          .hasMessageContaining(sentence)
          .satisfies(HttpAnswersTest::holdsNoSecret);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"99999999999999999999", "1e3", "-5", "0x10"})
  void lengthsThatAreNoneAreNoSizes(String length) throws IOException {
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n";
    try (RawServer server = new RawServer(_ -> answer)) {
      Location place = new Location(server.url() + "/x");
      assertThatThrownBy(() -> store().stat(place))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("Cannot look at '" + place + "'")
          // The client may see the connection's end before it refuses the number.
          .hasMessageMatching("(?s).*: the (server|connection broke).*");
    }
  }

  @Test
  void redirectsToAnotherHostAreFollowedWithoutCredentials() throws IOException {
    String bytes =
        "HTTP/1.1 206 OK\r\nContent-Range: bytes 0-9/10\r\nContent-Length: 10\r\n\r\n0123456789";
    try (RawServer other = new RawServer(_ -> bytes);
        RawServer server =
            new RawServer(_ ->
                "HTTP/1.1 302 Found\r\nLocation: "
                    + other.url()
                    + "/y\r\nContent-Length: 0\r\n\r\n")) {
      assertThat(read(new Location(server.url() + "/x"), 10, 0, 10)).isEqualTo("0123456789");
      assertThat(server.requests().getFirst())
          .startsWith("GET /x?sig=quiet ")
          .contains("Authorization: Bearer hush\n");
      assertThat(other.requests().getFirst())
          .startsWith("GET /y ")
          .contains("Range: bytes=0-9\n")
          .doesNotContain("hush")
          .doesNotContain("quiet");
    }
  }

  /// Returns what is logged while a store with options looks at files.
  private static String log(StorageOptions options, String... urls) throws IOException {
    Storage store = new HttpStorage().with(options.with("attempts", "1"));
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      for (String url : urls) {
        store.stat(new Location(url));
      }
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  @Test
  void secretsThatAnybodyCanReadOnTheWayAreWarnedOfOnce() throws IOException {
    try (RawServer server = new RawServer(_ -> "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")) {
      StorageOptions proxied = StorageOptions.NONE.with("proxy", server.url());
      String[] urls = {"http://a.example/x", "http://a.example/y", "http://b.example/x"};
      assertThat(log(proxied.with("bearer-token", "hush"), urls))
          .containsOnlyOnce("WARN")
          .contains(
              "The bearer token is sent to 'a.example' without encryption, so others can read it on"
                  + " the way. Use 'https://'.")
          .doesNotContain("hush");
      assertThat(log(proxied.with("username", "hush").with("password", "quiet"), urls))
          .containsOnlyOnce("WARN")
          .contains("The password is sent to 'a.example' without encryption")
          .doesNotContain("hush")
          .doesNotContain("quiet");
      assertThat(log(proxied, urls)).isEmpty();
      StorageOptions direct = StorageOptions.NONE.with("bearer-token", "hush");
      assertThat(log(direct, server.url() + "/x")).isEmpty();
    }
  }
}
