package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.storage.FileEntry;
import dev.penstock.storage.FilePage;
import dev.penstock.storage.Location;
import dev.penstock.storage.Storage;
import dev.penstock.storage.StorageException;
import dev.penstock.storage.StorageFile;
import dev.penstock.storage.StorageOptions;
import dev.penstock.testing.FaultProxy;
import dev.penstock.testing.FaultProxy.Fault;
import dev.penstock.testing.FaultProxy.Kind;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

class S3StorageTest {
  private static final int BYTES = 3_000_000;

  @TempDir static Path buckets;
  @TempDir Path folder;
  private static final byte[] DATA = new byte[BYTES];
  private static S3Server server;

  @BeforeAll
  static void start() throws IOException {
    new Random(1).nextBytes(DATA);
    Files.createDirectories(buckets.resolve("lake/a/b=1/_hidden"));
    Files.write(buckets.resolve("lake/a/data.bin"), DATA);
    Files.write(buckets.resolve("lake/a/b=1/x y+z%.bin"), new byte[7]);
    server = new S3Server(buckets);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static StorageOptions options(String endpoint) {
    return StorageOptions.NONE
        .with("endpoint", endpoint)
        .with("access-key-id", S3Server.ACCESS_KEY)
        .with("secret-access-key", S3Server.SECRET)
        .with("attempts", "3")
        .with("read-timeout", "1s");
  }

  private static Storage store(StorageOptions options) {
    return new S3Storage().with(options);
  }

  private static Storage store() {
    return store(options(server.endpoint()));
  }

  private static Location at(String text) {
    return new Location(text);
  }

  private static byte[] read(StorageFile file, long offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(length);
      file.read(offset, target);
      return target.toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void filesAndFoldersAreTold() throws IOException {
    FileEntry file = store().stat(at("s3://lake/a/data.bin")).orElseThrow();
    assertThat(file.bytes()).isEqualTo(BYTES);
    assertThat(file.version()).isNotEmpty();
    assertThat(store().stat(at("s3://lake/a")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("s3://lake/a/")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("s3://lake")).orElseThrow().folder()).isTrue();
    assertThat(store().stat(at("s3://lake/a/dat"))).isEmpty();
    assertThat(store().list(at("s3a://lake/a")))
        .extracting(each -> each.location().text())
        .containsExactlyInAnyOrder("s3a://lake/a/data.bin", "s3a://lake/a/b=1/x y+z%.bin");
    assertThat(store().list(at("s3://lake/a"))).contains(file);
    FileEntry listed =
        store().list(at("s3://lake/a/")).stream()
            .filter(each -> each.bytes() == BYTES)
            .findFirst()
            .orElseThrow();
    assertThat(read(store().open(listed), 0, 4)).isEqualTo(Arrays.copyOf(DATA, 4));
  }

  @Test
  void largeFoldersHavePages() throws IOException {
    Path many = Files.createDirectories(buckets.resolve("many/x"));
    for (int i = 0; i < 1_005; i++) {
      Files.write(many.resolve("f" + i), new byte[1]);
    }
    FilePage first = store().list(at("s3://many/x"), "");
    assertThat(first.files()).hasSize(1_000);
    assertThat(store().list(at("s3://many/x"), first.next().orElseThrow()).files()).hasSize(5);
    assertThat(store().list(at("s3://many/x")))
        .extracting(FileEntry::location)
        .doesNotHaveDuplicates()
        .hasSize(1_005);
  }

  @Test
  void rangesAreRead() throws IOException {
    StorageFile file = store().open(at("s3://lake/a/data.bin"));
    assertThat(read(file, 0, BYTES)).isEqualTo(DATA);
    assertThat(read(file, 1_234_567, 100_000))
        .isEqualTo(Arrays.copyOfRange(DATA, 1_234_567, 1_334_567));
    assertThat(file.advice()).isPresent();
    assertThat(read(store().open(at("s3://lake/a/b=1/x y+z%.bin")), 0, 7)).isEqualTo(new byte[7]);
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void brokenConnectionsAreMadeGood(Kind kind) throws IOException {
    FileEntry known = store().stat(at("s3://lake/a/data.bin")).orElseThrow();
    try (FaultProxy proxy =
        new FaultProxy(server.port(), n -> n < 2 ? new Fault(kind, 1_000_000) : Fault.NONE)) {
      Storage through = store(options("http://127.0.0.1:" + proxy.port()));
      assertThat(read(through.open(known), 0, BYTES)).isEqualTo(DATA);
      assertThat(proxy.connections()).isEqualTo(3);
    }
  }

  @Test
  void publicFilesNeedNoCredentials() throws IOException {
    StorageOptions anonymous =
        StorageOptions.NONE.with("endpoint", server.endpoint()).with("anonymous", "true");
    assertThat(store(anonymous).stat(at("s3://lake/a/data.bin"))).isPresent();
  }

  private static void put(byte[] content) {
    StorageOptions options = options(server.endpoint());
    try (S3Client client = S3Clients.client(options, RenewedCredentials.of(options))) {
      client.putObject(r -> r.bucket("lake").key("tagged"), RequestBody.fromBytes(content));
    }
  }

  @Test
  void fileOfAnotherTagIsAChangedFile() throws IOException {
    put(new byte[100]);
    StorageFile file = store().open(at("s3://lake/tagged"));
    assertThat(file.version()).startsWith("\"");
    assertThat(store().list(at("s3://lake")))
        .filteredOn(each -> each.location().name().equals("tagged"))
        .extracting(FileEntry::version)
        .containsExactly(file.version());
    assertThat(read(file, 5, 10)).isEqualTo(new byte[10]);
    byte[] other = new byte[100];
    Arrays.fill(other, (byte) 1);
    put(other);
    assertThatThrownBy(() -> read(file, 0, 10))
        .hasMessageStartingWith("Cannot read bytes [0, 10) of 's3://lake/tagged': it")
        .hasMessageContaining("(412 PreconditionFailed). Make a new dataset");
  }

  @Test
  void fileOfAnotherTimeIsAChangedFile() throws IOException {
    Path changing = buckets.resolve("lake/changing");
    Files.write(changing, new byte[100]);
    StorageFile file = store().open(at("s3://lake/changing"));
    assertThat(file.version()).startsWith("modified ");
    Files.setLastModifiedTime(changing, FileTime.fromMillis(1_000_000_000_000L));
    assertThatThrownBy(() -> read(file, 0, 10))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot read bytes [0, 10) of 's3://lake/changing': it")
        .hasMessageContaining("Make a new dataset");
    Files.delete(changing);
    assertThatThrownBy(() -> read(file, 0, 10)).hasMessageContaining("it is gone (404 NoSuchKey)");
  }

  private static void assertSays(StorageOptions options, String location, String sentence) {
    assertThatThrownBy(() -> store(options).stat(at(location)))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot look at '" + location + "': " + sentence)
        .satisfies(e -> {
          StringWriter text = new StringWriter();
          e.printStackTrace(new PrintWriter(text));
          assertThat(text.toString()).doesNotContain(S3Server.SECRET).doesNotContain("hush");
        });
  }

  @Test
  void whatIsWrongWithTheRequestHasItsOwnSentence() {
    StorageOptions good = options(server.endpoint());
    assertSays(good, "s3://nobucket/x", "there is no bucket 'nobucket' (NoSuchBucket).");
    assertSays(good, "s3://nobucket", "there is no bucket 'nobucket' (NoSuchBucket).");
    assertSays(
        good.with("access-key-id", "nobody"),
        "s3://lake/a/data.bin",
        "the store does not know the access key (InvalidAccessKeyId). Set storage option");
    assertSays(
        good.with("secret-access-key", "hush-hush"),
        "s3://lake/a/data.bin",
        "the secret does not belong to the access key (SignatureDoesNotMatch). Set storage option");
    System.setProperty("aws.disableEc2Metadata", "true");
    System.setProperty("aws.sharedCredentialsFile", buckets + "/none");
    System.setProperty("aws.configFile", buckets + "/none");
    assertSays(
        StorageOptions.NONE.with("endpoint", server.endpoint()),
        "s3://lake/a/data.bin",
        "no credentials were found. Set storage options 'access-key-id' and 'secret-access-key'");
    assertThatThrownBy(() -> store(StorageOptions.NONE.with("access-key-id", "x")))
        .hasMessageContaining("set 'access-key-id' and 'secret-access-key' together");
  }

  private static boolean answer(HttpExchange exchange, int status, String code, String message)
      throws IOException {
    boolean head = exchange.getRequestMethod().equals("HEAD");
    byte[] body =
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>"
                + code
                + "</Code><Message>"
                + message
                + "</Message></Error>")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
    return true;
  }

  /// The answers are those that Amazon's documentation of S3's errors gives.
  @Test
  void wrongRegionAndExpiredSessionsHaveTheirSentences() throws IOException {
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange ->
          answer(
              exchange,
              400,
              "AuthorizationHeaderMalformed",
              "The authorization header is malformed; the region 'us-east-1' is wrong; expecting"
                  + " 'eu-west-1'"));
      assertSays(
          options(other.url()),
          "s3://lake/x",
          "the bucket is in another region than 'us-east-1' (AuthorizationHeaderMalformed). Set"
              + " storage option 'region' to 'eu-west-1'.");
      other.answer(exchange -> {
        exchange.getResponseHeaders().set("x-amz-bucket-region", "eu-north-1");
        return answer(exchange, 301, "PermanentRedirect", "The bucket must be addressed elsewhere");
      });
      assertSays(
          options(other.url()),
          "s3://lake/x",
          "the bucket is in another region than 'us-east-1' (PermanentRedirect). Set storage"
              + " option 'region' to 'eu-north-1'.");
      other.answer(
          exchange -> answer(exchange, 400, "ExpiredToken", "The provided token has expired."));
      assertSays(
          options(other.url()).with("session-token", "hush-token"),
          "s3://lake/x",
          "the session has expired (ExpiredToken). Set storage options 'access-key-id',");
      other.answer(exchange -> answer(exchange, 503, "SlowDown", "Reduce your request rate."));
      assertThatThrownBy(() -> store(options(other.url())).stat(at("s3://lake/x")))
          .hasMessageStartingWith(
              "Cannot look at 's3://lake/x' in 3 attempts: the store is busy (503");
    }
  }

  @Test
  void expiredCredentialsAreFetchedAgainInMidRead() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    AtomicInteger fetched = new AtomicInteger();
    AtomicInteger valid = new AtomicInteger(1);
    try (RangeServer source = new RangeServer(folder);
        RangeServer other = new RangeServer(folder)) {
      source.answer(exchange -> {
        byte[] body =
            ("{\"AccessKeyId\":\"id\",\"SecretAccessKey\":\"hush\",\"Token\":\"token-"
                    + fetched.incrementAndGet()
                    + "\",\"Expiration\":\"2099-01-01T00:00:00Z\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        return true;
      });
      other.answer(exchange -> {
        String token = exchange.getRequestHeaders().getFirst("x-amz-security-token");
        return !("token-" + valid).equals(token)
            && answer(exchange, 400, "ExpiredToken", "The provided token has expired.");
      });
      System.setProperty("aws.disableEc2Metadata", "true");
      System.setProperty("aws.sharedCredentialsFile", buckets + "/none");
      System.setProperty("aws.configFile", buckets + "/none");
      System.setProperty("aws.containerCredentialsFullUri", source.url() + "/credentials");
      try {
        Storage store =
            store(StorageOptions.NONE.with("endpoint", other.url()).with("attempts", "2"));
        StorageFile file = store.open(at("s3://lake/data.bin"));
        assertThat(read(file, 0, 1000)).isEqualTo(Arrays.copyOf(DATA, 1000));
        assertThat(fetched).hasValue(1);
        for (int expiry = 2; expiry < 5; expiry++) {
          valid.set(expiry);
          assertThat(read(file, 0, BYTES)).isEqualTo(DATA);
          assertThat(fetched).hasValue(expiry);
        }
      } finally {
        System.clearProperty("aws.containerCredentialsFullUri");
      }
    }
  }

  @Test
  void killedServerIsASentenceWithTheAttempts() throws IOException {
    try (S3Server other = new S3Server(buckets)) {
      StorageFile file = store(options(other.endpoint())).open(at("s3://lake/a/data.bin"));
      other.stop();
      assertThatThrownBy(() -> read(file, 10, 20))
          .hasMessageStartingWith(
              "Cannot read bytes [10, 30) of 's3://lake/a/data.bin' in 3 attempts: no connection to"
                  + " the store (");
    }
  }

  @Test
  void requestsShowNoSecret() {
    assertThat(new S3Requests(options(server.endpoint())).toString())
        .contains("endpoint=" + server.endpoint())
        .doesNotContain(S3Server.SECRET);
    assertThat(List.of(store())).doesNotContainNull();
  }
}
