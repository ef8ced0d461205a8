package dev.penstock.gcs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.options.LoaderOptions;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.CreationContract;
import dev.penstock.testing.NetworkContract;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the store makes of answers that an emulator does not give. Reasons, messages and statuses
/// are those of Google's "HTTP status and error codes for JSON".
class GcsAnswersTest {
  private static final String DOWNLOADS = "download/storage/v1/b/lake/o";
  private static final byte[] DATA = new byte[100_000];

  @TempDir Path folder;
  private RangeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RangeServer(folder);
    new Random(1).nextBytes(DATA);
    Files.createDirectories(folder.resolve(DOWNLOADS));
    Files.write(folder.resolve(DOWNLOADS).resolve("data.bin"), DATA);
    server.answer(this::told);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private StorageOptions options() {
    return StorageOptions.NONE.with("endpoint", server.url()).with("attempts", "2");
  }

  private StorageOptions anonymous() {
    return options().with("anonymous", "true");
  }

  private static Storage store(StorageOptions options) {
    return new GcsStorage().with(options);
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

  private static boolean send(HttpExchange exchange, int status, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json; charset=UTF-8");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    return true;
  }

  /// Answers what is no download: the size of an object that is there.
  private boolean told(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.startsWith("/download/")) {
      return false;
    }
    Path file = folder.resolve(DOWNLOADS).resolve(path.substring(path.lastIndexOf('/') + 1));
    return Files.isRegularFile(file)
        ? send(
            exchange, 200, "{\"size\":\"" + Files.size(file) + "\",\"generation\":\"1700000001\"}")
        : refuse(exchange, 404, "notFound", "No such object: lake/" + file.getFileName());
  }

  private static boolean refuse(HttpExchange exchange, int status, String reason, String message)
      throws IOException {
    return send(
        exchange,
        status,
        "{\"error\":{\"code\":%s,\"message\":\"%s\",\"errors\":[{\"message\":\"%s\",\"domain\":\"global\",\"reason\":\"%s\"}]}}"
            .formatted(status, message, message, reason));
  }

  private void assertSays(
      StorageOptions options, int status, String reason, String message, String sentence) {
    server.answer(exchange -> refuse(exchange, status, reason, message));
    assertThatThrownBy(() -> store(options).stat(at("gs://lake/data.bin")))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot look at 'gs://lake/data.bin'")
        .hasMessageContaining(": " + sentence)
        .satisfies(GcsAnswersTest::holdsNoSecret);
  }

  private static void holdsNoSecret(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    assertThat(text.toString()).doesNotContain("hush").doesNotContain("PRIVATE");
  }

  @Test
  void refusalsHaveTheirSentences() {
    assertSays(
        anonymous(),
        404,
        "notFound",
        "The specified bucket does not exist.",
        "there is no bucket 'lake' (404 notFound). Check its name, and the storage option");
    assertSays(
        anonymous(),
        401,
        "required",
        "Anonymous caller does not have storage.objects.get access to the object.",
        "the bucket is not public (401 required). Leave storage option 'anonymous' out");
    assertSays(
        options().with("bearer-token", "hush-hush"),
        401,
        "authError",
        "Invalid Credentials",
        "the token has expired, or is not for storage (401 authError). Set storage option");
    assertSays(
        options().with("bearer-token", "hush-hush"),
        403,
        "forbidden",
        "me@x.iam.gserviceaccount.com does not have storage.objects.get access to the object.",
        "whoever asks may not read it (403 forbidden). Give the role 'Storage Object Viewer'");
    assertSays(
        anonymous(),
        400,
        "userProjectMissing",
        "Bucket is requester pays bucket but no user project provided.",
        "who reads this bucket pays for it (userProjectMissing). Set storage option 'project'");
    assertSays(
        anonymous(),
        403,
        "rateLimitExceeded",
        "The total number of changes exceeds the rate limit.",
        "the store is busy (429 rateLimitExceeded). Ask less at once");
    assertSays(anonymous(), 503, "backendError", "Backend Error", "the store is busy (503 backend");
    assertSays(anonymous(), 500, "internalError", "Error", "the store failed (500 internalError)");
  }

  @Test
  void requestsSayWhoAsksAndForWhichProject() throws IOException {
    List<String> seen = new ArrayList<>();
    server.answer(exchange -> {
      seen.add(
          exchange.getRequestHeaders().getFirst("Authorization")
              + " "
              + exchange.getRequestHeaders().getFirst("x-goog-user-project"));
      return told(exchange);
    });
    StorageOptions options = options().with("bearer-token", "hush").with("project", "billed");
    FileEntry file = store(options).stat(at("gs://lake/data.bin")).orElseThrow();
    assertThat(read(store(options).open(file), 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
    assertThat(seen).containsExactly("Bearer hush billed", "Bearer hush billed");
    assertThat(server.requests()).contains("GET /" + DOWNLOADS + "/data.bin bytes=7-106");
  }

  @Test
  void emptyPageIsNotTheEndOfAListAndListsThatAreNoneAreErrors() throws IOException {
    server.answer(exchange ->
        send(
            exchange,
            200,
            String.valueOf(exchange.getRequestURI().getQuery()).contains("pageToken=t1")
                ? "{\"items\":[{\"name\":\"a/x\",\"size\":\"5\",\"generation\":\"7\"}]}"
                : "{\"nextPageToken\":\"t1\"}"));
    assertThat(store(anonymous()).stat(at("gs://lake/a/")).orElseThrow().folder()).isTrue();
    assertThat(store(anonymous()).list(at("gs://lake/a/")))
        .containsExactly(new FileEntry(at("gs://lake/a/x"), 5, false, "7"));
    String[][] answers = {
      {"{\"nextPageToken\":\"t1\"}", "the store's list leads back to where it was"},
      {"{\"items\":[{\"name\":\"a/x\"}]}", "the store does not tell its size and generation"},
      {
        "{\"items\":[{\"name\":\"a/x\",\"size\":\"99999999999999999999\",\"generation\":\"7\"}]}",
        "the store does not tell its size and generation"
      },
      {"{\"items\":[{\"size\":\"5\"}]}", "the store lists a file without a name"}
    };
    for (String[] answer : answers) {
      server.answer(exchange -> send(exchange, 200, answer[0]));
      assertThatThrownBy(() -> store(anonymous()).list(at("gs://lake/a/")))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("Cannot list 'gs://lake/a/': " + answer[1]);
    }
    server.answer(exchange -> send(exchange, 200, answers[0][0]));
    assertThatThrownBy(() -> store(anonymous()).stat(at("gs://lake/a/")))
        .hasMessageStartingWith("Cannot look at 'gs://lake/a/': " + answers[0][1]);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"updated\":\"2026-11-01T12:00:00.123Z\",|2026-11-01T12:00:00.123Z",
        "\"updated\":\"2026-11-01T14:00:00+02:00\",|2026-11-01T12:00:00Z",
        "\"updated\":\"yesterday\",|",
        "''|"
      })
  void listTellsWhenAFileWasWritten(String pair, @Nullable Instant time) throws IOException {
    server.answer(exchange -> {
      boolean isAsked = exchange.getRequestURI().getQuery().contains("updated");
      return send(
          exchange,
          200,
          "{\"items\":[{\"name\":\"a/x\","
              + (isAsked ? pair : "")
              + "\"size\":\"5\",\"generation\":\"7\"}]}");
    });
    assertThat(store(anonymous()).list(at("gs://lake/a")))
        .extracting(FileEntry::modified)
        .containsExactly(Optional.ofNullable(time));
  }

  @Test
  void marksOfFoldersAreNoFiles() throws IOException {
    server.answer(exchange ->
        send(
            exchange,
            200,
            "{\"items\":[{\"name\":\"a/\",\"size\":\"0\",\"generation\":\"7\"},"
                + "{\"name\":\"a/day=1_$folder$\",\"size\":\"0\",\"generation\":\"7\"},"
                + "{\"name\":\"a/day=1/x\",\"size\":\"5\",\"generation\":\"7\"}]}"));
    assertThat(store(anonymous()).list(at("gs://lake/a")))
        .containsExactly(new FileEntry(at("gs://lake/a/day=1/x"), 5, false, "7"));
  }

  @Test
  void fileIsCreatedUnlessThereIsOne() throws IOException {
    new CreationContract(
            server,
            exchange -> exchange.getRequestURI().getQuery().contains("ifGenerationMatch=0"),
            exchange -> send(exchange, 200, "{\"generation\":\"1700000001\"}"),
            exchange -> refuse(exchange, 412, "conditionNotMet", "It is there"),
            exchange -> refuse(exchange, 403, "forbidden", "No"))
        .check(
            store(anonymous()),
            at("gs://lake/plans/a b"),
            "whoever asks may not create it (403 forbidden). Give the role 'Storage Object Creator'"
                + " on the bucket.");
  }

  @Test
  void proxyIsToldWhoAsks() throws IOException {
    NetworkContract.proxyIsToldWhoAsks(
        new GcsStorage(), anonymous(), at("gs://lake/data.bin"), DATA);
  }

  @Test
  void authorityOfAFileIsTrusted() throws IOException {
    try (RangeServer secure = RangeServer.secure(folder)) {
      secure.answer(this::told);
      StorageOptions there = anonymous().with("endpoint", secure.url());
      NetworkContract.authorityOfAFileIsTrusted(
          new GcsStorage(), there, at("gs://lake/data.bin"), DATA, folder);
    }
  }

  @Test
  void namesMayHoldAnyCharacter() throws IOException {
    String name = "a b%20c%zz#?[1]+&ü;=.bin";
    Files.write(folder.resolve(DOWNLOADS).resolve(name), DATA);
    StorageFile file = store(anonymous()).open(at("gs://lake/" + name));
    assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
    String folderName = "a b%20c%zz#?[1]+&ü;=/";
    server.answer(exchange ->
        send(
            exchange,
            200,
            Stream.of(exchange.getRequestURI().getRawQuery().split("&"))
                    .map(each -> URLDecoder.decode(each, StandardCharsets.UTF_8))
                    .anyMatch(("prefix=" + folderName)::equals)
                ? "{\"items\":[{\"name\":\""
                    + folderName
                    + "x\",\"size\":\"5\",\"generation\":\"7\"}]}"
                : "{}"));
    assertThat(store(anonymous()).list(at("gs://lake/" + folderName)))
        .containsExactly(new FileEntry(at("gs://lake/" + folderName + "x"), 5, false, "7"));
  }

  @Test
  void answerWithAnotherRangeOrGenerationIsNotBelieved() throws IOException {
    StorageFile file = store(anonymous()).open(at("gs://lake/data.bin"));
    AtomicInteger wrong = new AtomicInteger();
    server.answer(exchange -> {
      if (wrong.getAndIncrement() > 0) {
        return told(exchange);
      }
      exchange.getResponseHeaders().set("Content-Range", "bytes 0-9/" + DATA.length);
      exchange.sendResponseHeaders(206, 10);
      exchange.getResponseBody().write(DATA, 0, 10);
      return true;
    });
    assertThat(read(file, 500, 10)).isEqualTo(Arrays.copyOfRange(DATA, 500, 510));
    server.answer(exchange -> {
      exchange.sendResponseHeaders(200, DATA.length);
      exchange.getResponseBody().write(DATA);
      return true;
    });
    assertThat(read(file, 500, 10)).isEqualTo(Arrays.copyOfRange(DATA, 500, 510));
    server.answer(exchange -> {
      exchange.getResponseHeaders().set("x-goog-generation", "1700000002");
      return told(exchange);
    });
    assertThatThrownBy(() -> read(file, 500, 10))
        .hasMessageContaining(
            ": its version is '1700000002' but was '1700000001' when the dataset");
    server.answer(exchange -> refuse(exchange, 412, "conditionNotMet", "Precondition Failed"));
    assertThatThrownBy(() -> read(file, 500, 10))
        .hasMessageContaining("it is no longer the file that was planned (412 conditionNotMet)");
    server.answer(exchange -> refuse(exchange, 404, "notFound", "No such object: lake/data.bin"));
    assertThatThrownBy(() -> read(file, 0, 10))
        .hasMessage(
            "Cannot read bytes [0, 10) of 'gs://lake/data.bin': it is gone (404 notFound). List the"
                + " dataset again, or restore the file.");
  }

  @Test
  void wrongOptionsAreRefusedWithoutTheirValues() throws IOException {
    assertThatThrownBy(() -> store(anonymous().with("bearer-token", "hush")))
        .hasMessage(
            "Cannot use storage options 'bearer-token' and 'anonymous' together: set one of them.");
    Path file = Files.writeString(folder.resolve("key.json"), "{\"private_key\":\"hush\"}");
    assertThatThrownBy(() -> store(options().with("credentials-file", file.toString())))
        .hasMessageStartingWith("Cannot use storage option 'credentials-file': got '" + file)
        .satisfies(GcsAnswersTest::holdsNoSecret);
    assertThatThrownBy(() -> store(anonymous().with("endpoint", "somewhere")))
        .hasMessageStartingWith("Cannot use storage option 'endpoint': got 'somewhere' but");
    assertThatThrownBy(() -> store(anonymous().with("proxy", "http://somewhere")))
        .hasMessageStartingWith("Cannot use storage option 'proxy': got 'http://somewhere' but");
    assertThatThrownBy(() -> store(anonymous()).stat(at("gs:///x")))
        .hasMessageStartingWith("Cannot look at 'gs:///x': it names no bucket. Write 'gs://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "127.evil.example", "localhost.evil.example"})
  void tokensAreNotSentInTheClear(String host) {
    StorageOptions clear =
        StorageOptions.NONE.with("endpoint", "http://" + host).with("bearer-token", "hush");
    assertThatThrownBy(() -> store(clear).stat(at("gs://lake/x")))
        .hasMessageContaining("a token is not sent without encryption. Set storage option")
        .satisfies(GcsAnswersTest::holdsNoSecret);
  }

  /// Writes the key of a service account whose tokens come from an address.
  private Path serviceAccount(String tokens) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    String key =
        Base64.getEncoder().encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
    return Files.writeString(
        folder.resolve("account.json"),
        """
        {"type": "service_account", "project_id": "p", "private_key_id": "1",
         "private_key": "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n",
         "client_email": "me@p.iam.gserviceaccount.com", "client_id": "1", "token_uri": "%s"}
        """
            .formatted(key, tokens));
  }

  /// Every fifth request finds its token at its end.
  @Test
  void tokensThatExpireInMidEpochAreFetchedAgainWithoutLosingARow() throws Exception {
    int files = 6;
    List<String> locations = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      StringBuilder text = new StringBuilder("id\n");
      LongStream.range(i * 1000L, (i + 1) * 1000L).forEach(id -> text.append(id).append('\n'));
      Files.writeString(folder.resolve(DOWNLOADS).resolve(i + ".csv"), text);
      locations.add("gs://lake/" + i + ".csv");
    }
    AtomicInteger fetched = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger expired = new AtomicInteger();
    try (RangeServer source = new RangeServer(folder)) {
      source.answer(exchange ->
          send(
              exchange,
              200,
              "{\"access_token\":\"hush-%s\",\"expires_in\":3600,\"token_type\":\"Bearer\"}"
                  .formatted(fetched.incrementAndGet())));
      server.answer(exchange -> {
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        int valid = 1 + asked.get() / 5;
        if (Integer.parseInt(token.replace("Bearer hush-", "")) >= valid) {
          asked.incrementAndGet();
          return told(exchange);
        }
        expired.incrementAndGet();
        return refuse(exchange, 401, "authError", "Invalid Credentials");
      });
      String account = serviceAccount(source.url() + "/token").toString();
      List<Long> ids = new ArrayList<>();
      StructuredDataset dataset =
          new StructuredDataset(locations)
              .storageOption("endpoint", server.url())
              .storageOption("credentials-file", account);
      LoaderOptions loading = LoaderOptions.defaults().batchSize(100).workers(2);
      try (DataLoader loader = DataLoader.of(dataset, loading)) {
        for (int epoch = 0; epoch < 3; epoch++) {
          for (Batch batch : loader) {
            for (int row = 0; row < batch.rowCount(); row++) {
              ids.add(batch.tensor("id").getLong(row));
            }
            batch.close();
          }
        }
      }
      List<Long> all = LongStream.range(0, files * 1000L).boxed().toList();
      assertThat(ids).hasSize(3 * all.size());
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(ids.subList(epoch * all.size(), (epoch + 1) * all.size())).isEqualTo(all);
      }
      assertThat(expired.get()).isGreaterThan(3);
      assertThat(fetched.get()).isGreaterThan(3);
      // One that stays refused is an error after the attempts, not an endless loop.
      server.answer(exchange -> refuse(exchange, 401, "authError", "Invalid Credentials"));
      StorageOptions keyed = options().with("credentials-file", account);
      assertThatThrownBy(() -> store(keyed).stat(at("gs://lake/0.csv")))
          .hasMessageContaining("in 2 attempts: the token has expired (401 authError) and a new")
          .satisfies(GcsAnswersTest::holdsNoSecret);
      // A key that Google does not accept.
      source.answer(exchange ->
          send(
              exchange,
              400,
              "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid JWT Signature.\"}"));
      StorageOptions revoked = keyed.with("attempts", "3");
      assertThatThrownBy(() -> store(revoked).stat(at("gs://lake/0.csv")))
          .hasMessageStartingWith("Cannot look at 'gs://lake/0.csv': Google refuses to sign in (")
          .hasMessageContaining("invalid_grant")
          .satisfies(GcsAnswersTest::holdsNoSecret);
    }
  }

  @Test
  void requestsShowNoSecret() {
    assertThat(store(options().with("bearer-token", "hush")).toString())
        .contains("endpoint=" + server.url())
        .doesNotContain("hush");
  }

  /// So a table's files in another bucket are read with the options of the table.
  @Test
  void bucketsHaveOneOrigin() {
    GcsStorage store = new GcsStorage();
    assertThat(store.origin(at("gs://a/x"), StorageOptions.NONE))
        .isEqualTo(store.origin(at("gcs://b/y"), StorageOptions.NONE));
  }
}
