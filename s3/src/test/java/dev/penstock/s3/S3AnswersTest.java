package dev.penstock.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.RequestSigner;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.spi.storage.TrustedCertificates;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import dev.penstock.testing.CreationContract;
import dev.penstock.testing.PasswordProxy;
import dev.penstock.testing.RangeServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the store makes of answers that the test servers do not give. They are those that Amazon's
/// documentation of S3's errors has.
class S3AnswersTest {
  private static final int BYTES = 3_000_000;
  private static final byte[] DATA = new byte[BYTES];
  private static final String NAME = "a b%20c%zz#?[1]+&ü;=.bin";

  static {
    new Random(1).nextBytes(DATA);
  }

  @TempDir Path folder;

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
      System.setProperty("aws.sharedCredentialsFile", folder + "/none");
      System.setProperty("aws.configFile", folder + "/none");
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

  private static boolean xml(HttpExchange exchange, String text) throws IOException {
    byte[] body =
        ("<ListBucketResult>" + text + "</ListBucketResult>").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    return true;
  }

  @Test
  void emptyPageIsNotTheEndOfAList() throws IOException {
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange -> {
        String query = exchange.getRequestURI().getQuery();
        return xml(
            exchange,
            query.contains("continuation-token=t1")
                ? "<IsTruncated>false</IsTruncated><Contents><Key>a/x</Key><Size>5</Size></Contents>"
                : "<IsTruncated>true</IsTruncated><NextContinuationToken>t1</NextContinuationToken>");
      });
      Storage store = store(options(other.url()));
      assertThat(store.stat(at("s3://lake/a/")).orElseThrow().folder()).isTrue();
      assertThat(store.list(at("s3://lake/a/")))
          .containsExactly(new FileEntry(at("s3://lake/a/x"), 5, false));
    }
  }

  @Test
  @Timeout(120)
  void listsThatAreNoneAreErrors() throws IOException {
    String[][] answers = {
      {
        "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>",
        "the store's list leads back to where it was"
      },
      {
        "<IsTruncated>true</IsTruncated>",
        "the store breaks a list off without NextContinuationToken"
      },
      {"<Contents><Key>a/x</Key></Contents>", "the store lists 'a/x' with size null"},
      {"<Contents><Size>5</Size></Contents>", "the store lists 'null' with size 5"}
    };
    try (RangeServer other = new RangeServer(folder)) {
      for (String[] answer : answers) {
        other.answer(exchange -> xml(exchange, answer[0]));
        assertThatThrownBy(() -> store(options(other.url())).list(at("s3://lake/a/")))
            .isInstanceOf(StorageException.class)
            .hasMessageStartingWith("Cannot list 's3://lake/a/': " + answer[1]);
      }
      other.answer(exchange -> xml(exchange, answers[0][0]));
      assertThatThrownBy(() -> store(options(other.url())).stat(at("s3://lake/a/")))
          .hasMessageStartingWith("Cannot look at 's3://lake/a/': " + answers[0][1]);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "<LastModified>2026-11-01T12:00:00.123Z</LastModified>, 2026-11-01T12:00:00.123Z",
    "'',"
  })
  void listTellsWhenAFileWasWritten(String element, @Nullable Instant time) throws IOException {
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange ->
          xml(exchange, "<Contents><Key>a/x</Key>" + element + "<Size>5</Size></Contents>"));
      assertThat(store(options(other.url())).list(at("s3://lake/a")))
          .extracting(FileEntry::modified)
          .containsExactly(Optional.ofNullable(time));
    }
  }

  @Test
  void marksOfFoldersAreNoFiles() throws IOException {
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange ->
          xml(
              exchange,
              "<Contents><Key>a/</Key><Size>0</Size></Contents>"
                  + "<Contents><Key>a/day=1_$folder$</Key><Size>0</Size></Contents>"
                  + "<Contents><Key>a/day=1/x</Key><Size>5</Size></Contents>"
                  + "<Contents><Key>a/big_$folder$</Key><Size>5</Size></Contents>"));
      assertThat(store(options(other.url())).list(at("s3://lake/a")))
          .extracting(each -> each.location().text())
          .containsExactly("s3://lake/a/day=1/x", "s3://lake/a/big_$folder$");
    }
  }

  @Test
  void proxyIsToldWhoAsksAndAuthorityOfAFileIsTrusted() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    String authority = RangeServer.writeCertificate(folder.resolve("ca.pem")).toString();
    Location place = at("s3://lake/data.bin");
    try (PasswordProxy proxy = new PasswordProxy("me", "quiet");
        RangeServer plain = new RangeServer(folder);
        RangeServer secure = RangeServer.secure(folder)) {
      for (RangeServer server : List.of(plain, secure)) {
        StorageOptions through =
            options(server.url())
                .with("ca-file", authority)
                .with("proxy", proxy.url())
                .with("proxy-username", "me");
        StorageFile file = store(through.with("proxy-password", "quiet")).open(place);
        assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
        assertThat(proxy.passed()).isNotEmpty();
        proxy.passed().clear();
        assertSays(
            through.with("proxy-password", "hush"),
            place.text(),
            "the proxy asks for a password (407). Set storage options 'proxy-username' and");
      }
      assertThatThrownBy(() -> store(options(secure.url())).stat(place))
          .hasMessageContaining("the store's certificate is not trusted");
    }
  }

  @Test
  void keysMayHoldAnyCharacter() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake").resolve(NAME), DATA);
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange ->
          exchange.getRequestURI().getPath().equals("/lake")
              ? xml(
                  exchange,
                  "<EncodingType>url</EncodingType><Contents><Key>"
                      + URLEncoder.encode(NAME, StandardCharsets.UTF_8)
                      + "</Key><Size>"
                      + BYTES
                      + "</Size></Contents>")
              : false);
      Storage store = store(options(other.url()));
      Location place = at("s3://lake/" + NAME);
      assertThat(read(store.open(place), 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
      assertThat(store.list(at("s3://lake"))).containsExactly(new FileEntry(place, BYTES, false));
    }
  }

  @Test
  void answersWithoutBodyOrSizeHaveTheirSentences() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange -> {
        exchange.sendResponseHeaders(403, -1);
        return true;
      });
      assertSays(
          options(other.url()),
          "s3://lake/data.bin",
          "access is denied (403). Check the credentials, and that they may read it (s3:GetObject)"
              + " and list its bucket (s3:ListBucket)");
      other.answer(exchange -> {
        exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : 0);
        return true;
      });
      assertSays(
          options(other.url()),
          "s3://lake/data.bin",
          "the store answers neither HEAD nor a range with the file's size");
    }
  }

  @Test
  void whatRefusesToBeLookedAtIsAskedForItsFirstByte() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    Files.createFile(folder.resolve("lake/empty"));
    try (RangeServer other = new RangeServer(folder)) {
      for (int status : new int[] {200, 400, 403, 405, 501}) { // 200: without a size
        other.answer(exchange -> {
          boolean head = exchange.getRequestMethod().equals("HEAD");
          if (head) {
            exchange.sendResponseHeaders(status, -1);
          }
          return head;
        });
        Storage store = store(options(other.url()));
        FileEntry file = store.stat(at("s3://lake/data.bin")).orElseThrow();
        assertThat(file.bytes()).isEqualTo(BYTES);
        assertThat(file.version()).startsWith("\"" + BYTES);
        assertThat(read(store.open(file), 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
        assertThat(store.stat(at("s3://lake/empty")).orElseThrow().bytes()).isZero();
        assertThatThrownBy(() -> new S3Requests(options(other.url())).stat(at("s3://lake/none")))
            .isInstanceOfSatisfying(
                StorageException.class,
                e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.MISSING));
      }
      assertThat(other.requests()).contains("GET /lake/data.bin bytes=0-0");
    }
  }

  /// Lets AWS's files be these while something runs.
  private void withConfig(String text, Callable<?> run) throws Exception {
    Path file = Files.writeString(folder.resolve("config"), text);
    System.setProperty("aws.configFile", file.toString());
    System.setProperty("aws.sharedCredentialsFile", folder + "/none");
    try {
      run.call();
    } finally {
      System.clearProperty("aws.configFile");
      System.clearProperty("aws.sharedCredentialsFile");
      System.clearProperty("aws.profile");
    }
  }

  @Test
  void profileSaysWhereTheServiceIs() throws Exception {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    List<String> who = new CopyOnWriteArrayList<>();
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange -> {
        who.add(exchange.getRequestHeaders().getFirst("Authorization"));
        return false;
      });
      // With a name, not an address in numbers, the bucket would come before it.
      String url = "http://localhost:" + other.port();
      String keys = "aws_access_key_id = me\naws_secret_access_key = hush\nregion = eu-west-3\n";
      String config =
          "[profile one]\n"
              + keys
              + "endpoint_url = "
              + url
              + "\n[profile two]\n"
              + keys
              + "services = local"
              + "\n[services local]\ns3 =\n  endpoint_url = "
              + url
              + "\n";
      withConfig(
          config,
          () -> {
            for (String name : List.of("one", "two")) {
              Storage store = store(StorageOptions.NONE.with("profile", name));
              StorageFile file = store.open(at("s3://lake/data.bin"));
              assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
            }
            System.setProperty("aws.profile", "two");
            assertThat(store(StorageOptions.NONE).stat(at("s3://lake/data.bin"))).isPresent();
            return null;
          });
      assertThat(who)
          .hasSize(5)
          .allMatch(each ->
              each.startsWith("AWS4-HMAC-SHA256 Credential=me/")
                  && each.contains("/eu-west-3/s3/"));
    }
  }

  @Test
  void profileThatThereIsNotIsNamed() throws Exception {
    String here = "'" + folder.resolve("config") + "' or '" + folder.resolve("none") + "', which";
    withConfig(
        "[profile one]\naws_secret_access_key = hush\n[default]\nregion = x\n",
        () -> {
          assertThatThrownBy(() -> store(StorageOptions.NONE.with("profile", "oen")))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage(
                  "Cannot use storage option 'profile': got 'oen' but expected a profile of "
                      + here
                      + " have [default, one].");
          System.setProperty("aws.profile", "oen");
          System.setProperty("aws.disableEc2Metadata", "true");
          assertSays(
              StorageOptions.NONE.with("endpoint", "http://127.0.0.1:1"),
              "s3://lake/x",
              "there is no profile 'oen' (AWS_PROFILE) in " + here + " have [default, one]. Set");
          return null;
        });
  }

  @Test
  void whoeverReadsPaysIfToldSo() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange -> {
        if (!"requester".equals(exchange.getRequestHeaders().getFirst("x-amz-request-payer"))) {
          return answer(exchange, 403, "AccessDenied", "Access Denied");
        }
        return exchange.getRequestURI().getPath().equals("/lake")
            && xml(exchange, "<Contents><Key>data.bin</Key><Size>5</Size></Contents>");
      });
      StorageOptions paying = options(other.url()).with("requester-pays", "true");
      StorageFile file = store(paying).open(at("s3://lake/data.bin"));
      assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
      assertThat(store(paying).list(at("s3://lake"))).hasSize(1);
      assertThatThrownBy(() -> store(options(other.url())).list(at("s3://lake")))
          .hasMessageContaining("access is denied (403 AccessDenied).")
          .hasMessageEndingWith(
              " If whoever reads this bucket pays for it, set storage option 'requester-pays' to"
                  + " 'true'.");
      other.answer(exchange -> answer(exchange, 403, "AccessDenied", "Access Denied"));
      assertThatThrownBy(() -> store(paying).list(at("s3://lake")))
          .hasMessageContaining("access is denied (403 AccessDenied).")
          .hasMessageNotContaining("requester-pays");
    }
  }

  @Test
  void bucketIsFollowedToItsRegionOnce() throws IOException {
    Files.createDirectories(folder.resolve("lake"));
    Files.write(folder.resolve("lake/data.bin"), DATA);
    for (int status : new int[] {301, 307, 400}) {
      try (RangeServer other = new RangeServer(folder)) {
        other.answer(exchange -> {
          String who = exchange.getRequestHeaders().getFirst("Authorization");
          if (who.contains("/eu-north-1/s3/")) {
            return false;
          }
          exchange.getResponseHeaders().set("x-amz-bucket-region", "eu-north-1");
          return answer(exchange, status, "PermanentRedirect", "It is elsewhere");
        });
        StorageFile file = store(options(other.url())).open(at("s3://lake/data.bin"));
        assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
        String look = "HEAD /lake/data.bin";
        assertThat(other.requests()).containsExactly(look, look, "GET /lake/data.bin bytes=7-106");
      }
    }
  }

  @Test
  void authoritiesOfOtherToolsAreTrustedUnlessAnOptionNamesTheirs() throws Exception {
    String authority = RangeServer.writeCertificate(folder.resolve("ca.pem")).toString();
    String none = folder.resolve("none.pem").toString();
    Map<String, String> right = Map.of("AWS_CA_BUNDLE", authority);
    Map<String, String> wrong = Map.of("AWS_CA_BUNDLE", none);
    withConfig(
        "[default]\nca_bundle = " + authority + "\n[profile one]\nca_bundle = " + none + "\n",
        () -> {
          AwsProfile first = AwsProfile.of(StorageOptions.NONE);
          StorageOptions options = StorageOptions.NONE.with("profile", "one");
          AwsProfile one = AwsProfile.of(options);
          assertTrusted(S3Clients.trusted(StorageOptions.NONE, first, Map.of()));
          assertTrusted(S3Clients.trusted(options, one, right));
          assertTrusted(S3Clients.trusted(options.with("ca-file", authority), one, wrong));
          assertThatThrownBy(() -> S3Clients.trusted(options, one, Map.of()))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage(
                  "Cannot use ca_bundle of profile 'one': got '"
                      + none
                      + "' but expected a readable file of certificates in PEM. Correct it, or set"
                      + " storage option 'ca-file'.");
          assertThatThrownBy(() -> S3Clients.trusted(StorageOptions.NONE, first, wrong))
              .hasMessageStartingWith("Cannot use AWS_CA_BUNDLE: got '" + none + "' but");
          return null;
        });
  }

  private static void assertTrusted(Optional<TrustedCertificates> trusted) {
    X509TrustManager manager = (X509TrustManager) trusted.orElseThrow().managers()[0];
    assertThat(manager.getAcceptedIssuers())
        .anyMatch(each -> each.getSubjectX500Principal().getName().contains("CN=Penstock test"));
  }

  @Test
  void somebodyElseSigns() throws IOException {
    Files.createDirectories(folder.resolve("signed"));
    Files.write(folder.resolve("signed/data.bin"), DATA);
    List<String> asked = new CopyOnWriteArrayList<>();
    try (RangeServer other = new RangeServer(folder)) {
      other.answer(exchange ->
          !"by me".equals(exchange.getRequestHeaders().getFirst("Authorization"))
              && answer(exchange, 403, "AccessDenied", "Access Denied"));
      StorageOptions unsigned =
          StorageOptions.NONE.with("endpoint", other.url()).with("attempts", "2");
      RequestSigner signer =
          (method, uri, headers, region) -> {
            asked.add(method + " " + uri.getPath() + " " + headers.get("Range") + " " + region);
            return new RequestSigner.Signed(
                URI.create(other.url() + uri.getPath().replace("lake", "signed")),
                Map.of("Authorization", List.of("by me")));
          };
      StorageFile file = store(unsigned.withSigner(signer)).open(at("s3://lake/data.bin"));
      assertThat(read(file, 7, 100)).isEqualTo(Arrays.copyOfRange(DATA, 7, 107));
      assertThat(asked)
          .containsExactly(
              "HEAD /lake/data.bin null us-east-1", "GET /lake/data.bin [bytes=7-106] us-east-1");
      StorageException refused =
          new StorageException(StorageException.Kind.DENIED, "the catalog says no.", null);
      RequestSigner none =
          (_, _, _, _) -> {
            throw refused;
          };
      assertThatThrownBy(() -> store(unsigned.withSigner(none)).stat(at("s3://lake/data.bin")))
          .hasMessage("Cannot look at 's3://lake/data.bin': the catalog says no.");
    }
  }

  @Test
  void fileIsCreatedUnlessThereIsOne() throws IOException {
    try (RangeServer other = new RangeServer(folder)) {
      CreationContract contract =
          new CreationContract(
              other,
              exchange -> "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match")),
              exchange -> {
                exchange.sendResponseHeaders(200, -1);
                return true;
              },
              exchange -> answer(exchange, 412, "PreconditionFailed", "It is there"),
              exchange -> answer(exchange, 403, "AccessDenied", "Access Denied"));
      Storage store = store(options(other.url()));
      Location place = at("s3://lake/plans/" + NAME);
      contract.check(
          store,
          place,
          "access is denied (403 AccessDenied). Check the credentials, and that they may create it"
              + " (s3:PutObject). If whoever reads this bucket pays for it, set storage option"
              + " 'requester-pays' to 'true'.");
      RangeServer.Answer conflict =
          exchange -> answer(exchange, 409, "ConditionalRequestConflict", "Another one creates it");
      assertThat(contract.create(store, place, conflict, contract.stored())).isTrue();
    }
  }

  @Test
  void halfOfAPairIsRefused() {
    assertThatThrownBy(() -> store(StorageOptions.NONE.with("access-key-id", "x")))
        .hasMessageContaining("set 'access-key-id' and 'secret-access-key' together");
  }

  /// So a table's files in another bucket are read with the options of the table.
  @Test
  void bucketsHaveOneOrigin() {
    S3Storage store = new S3Storage();
    assertThat(store.origin(at("s3://a/x"), StorageOptions.NONE))
        .isEqualTo(store.origin(at("s3a://b/y"), StorageOptions.NONE));
  }
}
