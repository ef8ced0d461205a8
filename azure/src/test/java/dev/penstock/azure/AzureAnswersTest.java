package dev.penstock.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.exception.ClientAuthenticationException;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the store makes of answers that an emulator does not give. Error codes and their statuses
/// are those of Microsoft's "Blob Storage error codes" and "Common REST API error codes".
class AzureAnswersTest {
  private static final String SECRET = "aHVzaC1odXNoLWh1c2g=";
  private static final byte[] DATA = new byte[100_000];

  @TempDir Path folder;
  private RangeServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RangeServer(folder);
    new Random(1).nextBytes(DATA);
    Files.createDirectories(folder.resolve("me/lake"));
    Files.write(folder.resolve("me/lake/data.bin"), DATA);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private StorageOptions options() {
    return StorageOptions.NONE.with("endpoint", server.url() + "/me").with("attempts", "2");
  }

  private StorageOptions keyed() {
    return options().with("account-key", SECRET);
  }

  private static Storage store(StorageOptions options) {
    return new AzureStorage().with(options);
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

  private static boolean answer(HttpExchange exchange, int status, String code) throws IOException {
    exchange.getResponseHeaders().set("x-ms-error-code", code);
    exchange.sendResponseHeaders(status, -1);
    return true;
  }

  private void assertSays(StorageOptions options, int status, String code, String sentence) {
    server.answer(exchange -> answer(exchange, status, code));
    assertThatThrownBy(() -> store(options).stat(at("az://lake/data.bin")))
        .isInstanceOf(StorageException.class)
        .hasMessageStartingWith("Cannot look at 'az://lake/data.bin'")
        .hasMessageContaining(": " + sentence)
        .satisfies(e -> {
          StringWriter text = new StringWriter();
          e.printStackTrace(new PrintWriter(text));
          assertThat(text.toString()).doesNotContain(SECRET).doesNotContain("hush");
        });
  }

  @Test
  void refusalsHaveTheirSentences() {
    assertSays(
        keyed(),
        403,
        "AuthenticationFailed",
        "the key does not belong to the account (403 AuthenticationFailed). Set storage option");
    assertSays(
        options().with("sas-token", "sv=2024-11-04&sig=" + SECRET),
        403,
        "AuthenticationFailed",
        "the shared access signature is wrong, has expired or is not for this (403 Auth");
    assertSays(
        options().with("bearer-token", "hush"),
        401,
        "InvalidAuthenticationInfo",
        "the token has expired, or is not for storage (401 InvalidAuthenticationInfo). Set");
    assertSays(
        options().with("bearer-token", "hush"),
        403,
        "AuthorizationPermissionMismatch",
        "whoever asks may not read it (AuthorizationPermissionMismatch). Give the role 'Storage");
    assertSays(
        options().with("anonymous", "true"),
        409,
        "PublicAccessNotPermitted",
        "the store wants to know who asks (PublicAccessNotPermitted). Set storage option");
    assertSays(
        options().with("anonymous", "true"),
        404,
        "ResourceNotFound",
        "there is no container 'lake', or it is not public (ResourceNotFound). Check its name");
    assertSays(keyed(), 403, "AccountIsDisabled", "the account is disabled (AccountIsDisabled).");
    assertSays(keyed(), 409, "BlobArchived", "it is archived (BlobArchived). Move it to the hot");
    assertSays(keyed(), 400, "InvalidResourceName", "no container or file can have its name (");
    assertSays(keyed(), 503, "ServerBusy", "the store is busy (503 ServerBusy). Ask less");
    assertSays(keyed(), 500, "OperationTimedOut", "the store failed (500 OperationTimedOut).");
  }

  @Test
  void nobodyWhoAsksIsASentence() {
    System.setProperty("AZURE_TOKEN_CREDENTIALS", "EnvironmentCredential");
    try {
      assertThatThrownBy(() -> store(options()).stat(at("az://lake/data.bin")))
          .hasMessageStartingWith(
              "Cannot look at 'az://lake/data.bin': no credentials were found. Set storage option"
                  + " 'account-key', 'sas-token', 'connection-string' or 'bearer-token', or");
    } finally {
      System.clearProperty("AZURE_TOKEN_CREDENTIALS");
    }
  }

  /// What the SDK's chain ends with where there are no credentials but something answers in place
  /// of Azure's address for those of machines.
  @Test
  void credentialsThatAzureRefusesAreASentence() throws IOException {
    AzurePath path = AzurePath.of(at("az://lake/data.bin"));
    RuntimeException answer =
        new IllegalStateException("[Managed Identity] MSI returned 403\nat [Source: 1]");
    RuntimeException refusal =
        new ClientAuthenticationException(
            "Managed Identity authentication failed, see inner exception for more information.",
            null,
            answer);

    assertThat(new AzureErrors(options(), Access.IDENTITY, false).of(refusal, path))
        .hasMessage(
            "no credentials were found that Azure accepts ([Managed Identity] MSI returned 403)."
                + " Set storage option 'account-key', 'sas-token', 'connection-string' or"
                + " 'bearer-token', or 'anonymous' to 'true' for a public container; or give the"
                + " Azure SDK what it looks for, such as a sign-in of the Azure CLI, or"
                + " AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET in the environment.");
  }

  @Test
  void wrongOptionsAreRefusedWithoutTheirValues() {
    assertThatThrownBy(() -> store(keyed().with("sas-token", "hush")))
        .hasMessage(
            "Cannot use storage options 'account-key' and 'sas-token' together: set one of them.");
    assertThatThrownBy(() -> store(options().with("account-key", "no base64!")))
        .hasMessage(
            "Cannot use storage option 'account-key': got '***' but expected an account's key,"
                + " which is a text in Base64.");
    assertThatThrownBy(() -> store(StorageOptions.NONE.with("connection-string", "Key=" + SECRET)))
        .hasMessageStartingWith("Cannot use storage option 'connection-string': got '***' but")
        .satisfies(e -> assertThat(e.getCause()).isNull());
    assertThatThrownBy(() -> store(keyed().with("endpoint", "somewhere")))
        .hasMessageStartingWith("Cannot use storage option 'endpoint': got 'somewhere' but");
    for (String nameless : List.of("http://localhost:1", "http://127.0.0.1:1/")) {
      assertThatThrownBy(
              () -> store(keyed().with("endpoint", nameless)).stat(at("az://lake/data.bin")))
          .hasMessageContaining("with this 'endpoint' alone: set 'account', too.");
    }
    assertThatThrownBy(() -> store(keyed().with("proxy", "http://somewhere")))
        .hasMessageStartingWith("Cannot use storage option 'proxy': got 'http://somewhere' but");
  }

  @Test
  void locationsNameContainersOfAzureOnly() throws IOException {
    StorageOptions key = StorageOptions.NONE.with("account-key", SECRET);
    assertThatThrownBy(() -> store(key).stat(at("az://lake/x")))
        .hasMessageStartingWith("Cannot look at 'az://lake/x': no account is named. Write");
    assertThatThrownBy(() -> store(key).stat(at("az:///x")))
        .hasMessageStartingWith("Cannot look at 'az:///x': it names no container. Write 'az://");
    assertThatThrownBy(() -> store(key).stat(at("abfs://lake@evil.example.com/x")))
        .hasMessageContaining(": 'evil.example.com' is no account of Azure. Write");
    assertThatThrownBy(() -> store(key).stat(at("abfs://lake@x.evil.dfs.core.windows.net.org/x")))
        .hasMessageContaining("is no account of Azure.");
    assertThatThrownBy(() ->
            store(key.with("account", "me")).stat(at("abfs://lake@you.dfs.core.windows.net/x")))
        .hasMessageContaining(": it is in account 'you' but storage option 'account' is 'me'.");
    AzurePath path = AzurePath.of(at("abfss://lake@me.dfs.core.windows.net/a/b?c"));
    assertThat(path.host()).isEqualTo("me.blob.core.windows.net");
    assertThat(path.container()).isEqualTo("lake");
    assertThat(path.name()).isEqualTo("a/b?c");
    assertThat(AzurePath.of(at("abfs://lake@me/a")).host()).isEqualTo("me.blob.core.windows.net");
    assertThat(AzurePath.of(at("abfs://w@onelake.dfs.fabric.microsoft.com/l")).host())
        .isEqualTo("onelake.blob.fabric.microsoft.com");
  }

  private static String origin(String location, StorageOptions options) {
    return new AzureStorage().origin(at(location), options);
  }

  /// Only options of this origin are used for a location that a table's metadata names.
  @Test
  void originIsTheAccountUnlessOptionsChooseIt() {
    StorageOptions token = StorageOptions.NONE.with("bearer-token", SECRET);
    String mine = origin("abfss://lake@me.dfs.core.windows.net/t", token);
    assertThat(origin("abfs://other@me.blob.core.windows.net/x", token)).isEqualTo(mine);
    assertThat(origin("abfs://other@me/x", token)).isEqualTo(mine);
    for (String elsewhere :
        List.of(
            "abfss://lake@you.dfs.core.windows.net/t",
            "abfss://lake@me.evil.example.com/t",
            "abfss://lake@me.dfs.core.windows.net.evil.example.com/t",
            "az://lake/t")) {
      assertThat(origin(elsewhere, token)).isNotEqualTo(mine);
    }
    StorageOptions chosen = token.with("endpoint", "http://127.0.0.1:10000/me");
    assertThat(origin("abfss://lake@you.dfs.core.windows.net/t", chosen))
        .isEqualTo(origin("az://lake/t", chosen));
  }

  private static boolean xml(HttpExchange exchange, String blobs, String next) throws IOException {
    byte[] body =
        ("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ContainerName=\"lake\"><Blobs>"
                + blobs
                + "</Blobs><NextMarker>"
                + next
                + "</NextMarker></EnumerationResults>")
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    return true;
  }

  @Test
  void emptyPageIsNotTheEndOfAListAndListsThatAreNoneAreErrors() throws IOException {
    String sized =
        "<Blob><Name>a/x</Name><Properties><Content-Length>5</Content-Length></Properties></Blob>";
    server.answer(exchange -> {
      boolean isSecond = exchange.getRequestURI().getQuery().contains("marker=t1");
      return xml(exchange, isSecond ? sized : "", isSecond ? "" : "t1");
    });
    assertThat(store(keyed()).stat(at("az://lake/a/")).orElseThrow().folder()).isTrue();
    assertThat(store(keyed()).list(at("az://lake/a/")))
        .containsExactly(new FileEntry(at("az://lake/a/x"), 5, false));
    String[][] answers = {
      {"", "t1", "the store's list leads back to where it was"},
      {"<Blob><Name>a/x</Name><Properties/></Blob>", "", "the store lists 'a/x' without its size"}
    };
    for (String[] answer : answers) {
      server.answer(exchange -> xml(exchange, answer[0], answer[1]));
      assertThatThrownBy(() -> store(keyed()).list(at("az://lake/a/")))
          .isInstanceOf(StorageException.class)
          .hasMessageStartingWith("Cannot list 'az://lake/a/': " + answer[2]);
    }
    server.answer(exchange -> xml(exchange, "", "t1"));
    assertThatThrownBy(() -> store(keyed()).stat(at("az://lake/a/")))
        .hasMessageStartingWith("Cannot look at 'az://lake/a/': " + answers[0][2]);
  }

  private static String blob(String name, int bytes) {
    return "<Blob><Name>"
        + name.replace("&", "&amp;")
        + "</Name><Properties><Content-Length>"
        + bytes
        + "</Content-Length></Properties></Blob>";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<Last-Modified>Sun, 01 Nov 2026 12:00:00 GMT</Last-Modified>|2026-11-01T12:00:00Z",
        "''|"
      })
  void listTellsWhenAFileWasWritten(String element, @Nullable Instant time) throws IOException {
    server.answer(exchange ->
        xml(
            exchange,
            "<Blob><Name>a/x</Name><Properties>"
                + element
                + "<Content-Length>5</Content-Length></Properties></Blob>",
            ""));
    assertThat(store(keyed()).list(at("az://lake/a")))
        .extracting(FileEntry::modified)
        .containsExactly(Optional.ofNullable(time));
  }

  @Test
  void marksOfFoldersAreNoFiles() throws IOException {
    server.answer(exchange ->
        xml(
            exchange,
            blob("a/", 0)
                + blob("a/day=1_$folder$", 0)
                + blob("a/day=1/x", 5)
                + "<Blob><Name>a/day=1</Name><Properties><Content-Length>0</Content-Length>"
                + "</Properties><Metadata><hdi_isfolder>true</hdi_isfolder></Metadata></Blob>",
            ""));
    assertThat(store(keyed()).list(at("az://lake/a")))
        .containsExactly(new FileEntry(at("az://lake/a/day=1/x"), 5, false));
  }

  @Test
  void fileIsCreatedUnlessThereIsOne() throws IOException {
    new CreationContract(
            server,
            exchange -> "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match")),
            exchange -> answer(exchange, 201, ""),
            exchange -> answer(exchange, 409, "BlobAlreadyExists"),
            exchange -> answer(exchange, 403, "AuthorizationPermissionMismatch"))
        .check(
            store(keyed()),
            at("az://lake/plans/a b"),
            "whoever asks may not create it (AuthorizationPermissionMismatch). Give the role"
                + " 'Storage Blob Data Contributor', or the permission to create files.");
  }

  @Test
  void proxyIsToldWhoAsks() throws IOException {
    NetworkContract.proxyIsToldWhoAsks(new AzureStorage(), keyed(), at("az://lake/data.bin"), DATA);
  }

  @Test
  void authorityOfAFileIsTrusted() throws IOException {
    try (RangeServer secure = RangeServer.secure(folder)) {
      StorageOptions there = keyed().with("endpoint", secure.url() + "/me/"); // a slash too many
      NetworkContract.authorityOfAFileIsTrusted(
          new AzureStorage(), there, at("az://lake/data.bin"), DATA, folder);
    }
  }

  @Test
  void namesMayHoldAnyCharacter() throws IOException {
    String name = "a b%20c%zz#?[1]+&ü;=.bin";
    Files.write(folder.resolve("me/lake").resolve(name), DATA);
    StorageFile file = store(keyed()).open(at("az://lake/" + name));
    assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
    server.answer(exchange -> xml(exchange, blob(name, 5), ""));
    assertThat(store(keyed()).list(at("az://lake")))
        .containsExactly(new FileEntry(at("az://lake/" + name), 5, false));
  }

  @Test
  void answerWithAnotherRangeIsNotBelieved() throws IOException {
    StorageFile file = store(keyed()).open(at("az://lake/data.bin"));
    AtomicInteger wrong = new AtomicInteger();
    server.answer(exchange -> {
      if (wrong.getAndIncrement() > 0) {
        return false;
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
    server.answer(exchange -> answer(exchange, 404, "BlobNotFound"));
    assertThatThrownBy(() -> read(file, 0, 10))
        .hasMessage(
            "Cannot read bytes [0, 10) of 'az://lake/data.bin': it is gone (404 BlobNotFound). List"
                + " the dataset again, or restore the file.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.0.2.1", "127.evil.example", "localhost.evil.example"})
  void tokensAreNotSentInTheClear(String host) {
    StorageOptions clear =
        StorageOptions.NONE.with("endpoint", "http://" + host + "/me").with("bearer-token", "hush");
    assertThatThrownBy(() -> store(clear).stat(at("az://lake/x")))
        .hasMessageContaining("a token is not sent without encryption. Set storage option")
        .hasMessageNotContaining("hush");
  }

  /// Every fifth request finds its token at its end.
  @Test
  void tokensThatExpireInMidEpochAreFetchedAgainWithoutLosingARow() throws IOException {
    int files = 6;
    List<String> locations = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      StringBuilder text = new StringBuilder("id\n");
      LongStream.range(i * 1000L, (i + 1) * 1000L).forEach(id -> text.append(id).append('\n'));
      Files.writeString(folder.resolve("me/lake/" + i + ".csv"), text);
      locations.add("tokens://lake/" + i + ".csv");
    }
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger expired = new AtomicInteger();
    server.answer(exchange -> {
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      int valid = 1 + asked.get() / 5;
      if (Integer.parseInt(token.replace("Bearer hush-", "")) >= valid) {
        asked.incrementAndGet();
        return false;
      }
      expired.incrementAndGet();
      return answer(exchange, 401, "InvalidAuthenticationInfo");
    });
    List<Long> ids = new ArrayList<>();
    StructuredDataset dataset =
        new StructuredDataset(locations).storageOption("endpoint", server.url() + "/me");
    LoaderOptions options = LoaderOptions.defaults().batchSize(100).workers(2);
    try (DataLoader loader = DataLoader.of(dataset, options)) {
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
    assertThat(TokenStorage.FETCHED.get()).isGreaterThan(3);
    // One that stays refused is an error after the attempts, not an endless loop.
    server.answer(exchange -> answer(exchange, 401, "InvalidAuthenticationInfo"));
    Storage store = new TokenStorage().with(options());
    assertThatThrownBy(() -> store.stat(at("tokens://lake/0.csv")))
        .hasMessageContaining("in 2 attempts: the token has expired (InvalidAuthenticationInfo)")
        .hasMessageNotContaining("hush");
  }

  @Test
  void requestsShowNoSecret() {
    assertThat(store(keyed()).toString())
        .contains("endpoint=" + server.url())
        .doesNotContain(SECRET);
  }
}
